"""The programs: found, or installed, or named in an error."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Measured beside groma: where each comes from.
PEERS = {"fd": ("cargo", "fd-find", "10.5.0"), "fdf": ("cargo", "fdf", "0.9.8"),
         "bfs": ("apt", "bfs", None), "find": ("apt", "findutils", None)}
HELPERS = {"hyperfine": "hyperfine", "strace": "strace", "gcc": "gcc",
           "time": "time"}
# Measured beside `groma search`.
LOCATE = {"plocate": "plocate", "updatedb": "plocate"}


class Trouble(Exception):
    """What the reader has to do something about."""


@dataclass
class Bench:
    """Paths of everything that is run; `floor` is the bare walk."""

    paths: dict
    threads: int

    def versions(self):
        return [f"{name} {version(path)}" for name, path in self.paths.items() if name != "floor"]


def default_cache():
    given = os.environ.get("XDG_CACHE_HOME")
    return Path(given) / "groma-bench" if given else ROOT / "target" / "bench"


def find_all(options):
    """groma, what find is measured beside, and the bare walk."""
    return prepare(options, {name: lambda name=name: find_peer(name, options)
                             for name in options.peers})


def find_locate(options):
    """groma, what search is measured beside, and the bare walk."""
    install_from_apt([name for name in LOCATE if not shutil.which(name)], LOCATE)
    return prepare(options, {name: lambda name=name: shutil.which(name) for name in LOCATE})


def prepare(options, peers):
    options.cache = options.cache.resolve()
    options.cache.mkdir(parents=True, exist_ok=True)
    install_from_apt([name for name in HELPERS if not shutil.which(name)], HELPERS)
    built = options.groma.resolve() if options.groma else build_groma()
    paths = {"groma": installed(built, options.cache)}
    paths |= {name: find() for name, find in peers.items()}
    paths["floor"] = build_floor(options.cache)
    return Bench({name: str(path) for name, path in paths.items()}, options.threads)


def find_peer(name, options):
    source, package, wanted = PEERS[name]
    places = [options.bin_dir / name] if options.bin_dir else []
    places.append(options.cache / "bin" / name)
    for place in places:
        if place.is_file():
            return place.resolve()
    if source == "apt":
        install_from_apt([name] if not shutil.which(name) else [], {name: package})
        return shutil.which(name)
    run(["cargo", "install", "--locked", "--root", options.cache, "--version", wanted, package])
    return options.cache / "bin" / name


def install_from_apt(names, packages):
    if not names:
        return
    wanted = sorted({packages[name] for name in names})
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Trouble(f"expected these packages installed: {' '.join(wanted)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "--quiet"], env=quiet)
    run(["apt-get", "install", "--yes", "--no-install-recommends", *wanted], env=quiet)


def build_groma():
    run(["cargo", "build", "--release", "--locked", "--bin", "groma"], cwd=ROOT)
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    return target / "release" / "groma"


def installed(program, cache):
    """A copy, as installing makes it. What a linker has just written lies in the page cache page by
    page, and starting it takes a tenth longer than starting the peers, which were copied."""
    (cache / "bin").mkdir(exist_ok=True)
    copy = cache / "bin" / "groma"
    copy.unlink(missing_ok=True)
    return Path(shutil.copy(program, copy))


def build_floor(cache):
    source, program = ROOT / "bench" / "floor.c", cache / "floor"
    if not program.is_file() or program.stat().st_mtime < source.stat().st_mtime:
        run(["gcc", "-O2", "-Wall", "-pthread", "-o", program, source])
    return program


def version(path):
    words = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    lines = words.stdout.splitlines() or ["?"]
    return lines[0].split()[-1]


def run(command, **more):
    """Runs a preparation step; its output goes to stderr, so that stdout is the table alone."""
    line = " ".join(str(word) for word in command)
    try:
        subprocess.run([str(word) for word in command], check=True, stdout=2, **more)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Trouble(f"expected `{line}` to succeed, found: {error}") from error
