// Runs one case: `node run.mjs GROUP CASE FILE...`. The tests of Rust call this.

const [group, name, ...files] = process.argv.slice(2);

/** A case that hangs must not hang all tests: two minutes are a multiple of what any case takes. */
setTimeout(() => {
  console.error(`${group} ${name}: expected an end within two minutes, found none`);
  process.exit(1);
}, 120_000).unref();

const cases = await import(`./${group}.mjs`);
if (typeof cases[name] !== 'function') throw new Error(`there is no case ${group} ${name}`);
await cases[name](...files);
