// Records cases in the form of shared/istio/krtlog: `node --import ./scripts/node26.mjs server/test/istiod/record-cases.ts FILE`.
// Each case has the documents before and after one change, and the log in between.
import {writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {istiodChanges} from './istiod-changes.ts';
import {IstiodProgram} from './istiod-program.ts';
import {recordCase} from './recorded-case.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: record-cases.ts FILE');

const program = await IstiodProgram.start();
try {
  const lines: string[] = [];
  for (const [at, change] of istiodChanges.entries()) {
    const one = await recordCase(program, change, at + 1);
    console.info(
      `${one.case} ${one.what}: ${one.changed.length} rows, ${one.log.split('\n').length - 1} lines`,
    );
    lines.push(JSON.stringify(one));
    writeFileSync(file, gzipSync(`${lines.join('\n')}\n`));
  }
} finally {
  await program.stop();
}
