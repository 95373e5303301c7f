// npm run fuzz:what-if -- [--edits 500] [--seed 1] [--kubeconfig FILE [--reader FILE [--audit FILE --audit-user test-user]]]: random edits of ten kinds, in What
// if and in a cluster. Without --kubeconfig the embedded cluster. With --reader, krtscope's session uses that file, so that
// the audit log (--audit) tells its requests from the edits.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {startCluster} from '../src/cluster/start.ts';
import {readAudit} from './what-if/audit-log.ts';
import {proveWhatIf} from './what-if/what-if-proof.ts';

/** The share of edits that must be right. Each miss is printed. */
const GOAL = 0.99;

const {values} = parseArgs({
  options: {
    edits: {type: 'string', default: '500'},
    seed: {type: 'string', default: '1'},
    kubeconfig: {type: 'string'},
    reader: {type: 'string'},
    audit: {type: 'string'},
    'audit-user': {type: 'string', default: 'test-user'},
  },
});
const [edits, seed] = [Number(values.edits), Number(values.seed)];
// A session has only handles that do not keep the process alive.
const alive = setInterval(() => {}, 60_000);
const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-fuzz-what-if-'));
const cluster =
  values.kubeconfig === undefined
    ? await startCluster({seed, pace: 0, dataDir, controllers: false})
    : undefined;
const {tried, kinds, misses, unnamed} = await proveWhatIf(
  values.kubeconfig ?? cluster?.kubeconfigFile ?? '',
  {edits, seed, reader: values.reader, isReal: cluster === undefined},
);
clearInterval(alive);
await cluster?.stop();
rmSync(dataDir, {recursive: true});
for (const miss of misses) console.info(`miss: ${miss}`);
for (const row of unnamed) console.info(`impact did not name ${row}`);
const audited = values.audit === undefined ? undefined : await readAudit(values.audit, values['audit-user']);
const right = tried - misses.length;
console.info(`${JSON.stringify(kinds)}`);
console.info(
  `${right} of ${tried} edits right (goal ${GOAL * 100} %), ${unnamed.length} rows that impact did not name`,
);
if (audited !== undefined)
  console.info(`the audit log has ${audited.reads} reads and ${audited.writes.length} writes of the reader`);
for (const write of audited?.writes ?? []) console.info(`write: ${write}`);
const isQuiet = audited === undefined || (audited.reads > 0 && audited.writes.length === 0);
process.exit(right / tried >= GOAL && unnamed.length === 0 && isQuiet ? 0 : 1);
