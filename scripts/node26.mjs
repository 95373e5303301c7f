// Each script imports this first. Tells users of an older Node what to do.
if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(
    `krtscope needs Node 26 and found ${process.versions.node}; run it through npm ("npm ci" brings Node 26, "npm run" uses it)\n`,
  );
  process.exit(2);
}
