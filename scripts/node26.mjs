// Imported first by every script: says what to do when an old Node runs it.
if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(
    `krtscope needs Node 26 and found ${process.versions.node}; run it through npm ("npm ci" brings Node 26, "npm run" uses it)\n`,
  );
  process.exit(2);
}
