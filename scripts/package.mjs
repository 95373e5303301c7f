// npm runs this before npm pack. It builds the content of the tarball and logs to stderr, because npm's
// output goes to stdout.
import './node26.mjs';

const {buildPackage} = await import('./package/build.ts');
await buildPackage(text => process.stderr.write(`${text}\n`));
