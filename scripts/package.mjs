// Before npm pack: builds what goes into the tarball. Words go to stderr, npm's own answer to stdout.
import './node26.mjs';

const {buildPackage} = await import('./package/build.ts');
await buildPackage(text => process.stderr.write(`${text}\n`));
