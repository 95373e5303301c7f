// Runs as log lines, newest first: runs of one batch with the same cause and outcome fold; long pauses get a line.
// Pure.
import type {RunRecord} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';

export type RunLogLine =
  | {kind: 'runs'; id: string; collection: string; outcome: RunOutcome; cause: string; runs: RunRecord[]}
  | {kind: 'quiet'; id: string; milliseconds: number};

/** A pause without runs that is long enough for its own line. */
const QUIET_MS = 5000;

function runCauseText(run: RunRecord): string {
  const cause = run.causes[0];
  if (!cause) return '';
  if (cause.collection === undefined) return cause.kind;
  const event = cause.event === undefined || cause.event === 'update' ? '' : ` ${cause.event}`;
  return `${cause.collection} ${cause.key ?? ''}${event}`;
}

export function logLines(runs: readonly RunRecord[], text: string): RunLogLine[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = runs.filter(run => {
    const text = `${run.collection} ${run.input} ${run.outcome} ${runCauseText(run)}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  const lines: RunLogLine[] = [];
  for (const run of matching.toSorted(
    (a, b) => b.sequence - a.sequence || positionInBatch(b) - positionInBatch(a),
  )) {
    const last = lines.at(-1);
    const cause = runCauseText(run);
    if (
      last?.kind === 'runs' &&
      last.runs[0]!.sequence === run.sequence &&
      last.collection === run.collection &&
      last.outcome === run.outcome &&
      last.cause === cause
    ) {
      last.runs.push(run);
      continue;
    }
    const newer = last?.kind === 'runs' ? last.runs.at(-1)!.at : undefined;
    if (newer !== undefined && newer - run.at > QUIET_MS)
      lines.push({kind: 'quiet', id: `quiet ${run.id}`, milliseconds: newer - run.at});
    lines.push({
      kind: 'runs',
      id: run.id,
      collection: run.collection,
      outcome: run.outcome,
      cause,
      runs: [run],
    });
  }
  return lines;
}

/** The run's position in its batch: `12.7` ran after `12.3`. */
function positionInBatch(run: RunRecord): number {
  return Number(run.id.slice(run.id.indexOf('.') + 1)) || 0;
}
