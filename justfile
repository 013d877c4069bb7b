# The few entry points; each is one command that can be typed as well.

# List the recipes.
default:
    @just --list

# Build and run groma: just run find pattern path
run *ARGS:
    cargo run --release -- {{ARGS}}

# Everything a change must pass.
ci:
    .ci/run

# All tests, fd's included.
test:
    cargo xtask test

# The same, long and large.
soak:
    cargo xtask soak

# The rules of the house.
tidy:
    cargo xtask tidy

# Rewrite ARCHITECTURE.md's code map.
code-map:
    cargo xtask code-map --write

# Format, then lint as strictly as CI.
lint:
    cargo fmt --all
    cargo clippy --workspace --all-targets --locked -- -D warnings

# Licences, advisories, banned crates (needs cargo-deny).
deny:
    cargo deny check

# The table of docs/bench/find.md, on a real tree: just bench /usr
bench REAL *ARGS:
    bench/find --real {{REAL}} {{ARGS}}
