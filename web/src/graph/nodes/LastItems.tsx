// The last three runs of the selected collection, or the newest key of a source.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {RunRecord} from '@krtscope/shared/run.ts';
import {useSubscription} from '../../stream/use-subscription.ts';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {ageText} from '../../ui/text/Age.tsx';
import {shortenMiddle} from '../../ui/text/shorten-middle.ts';
import {useGraphContext} from '../graph-context.ts';

export function LastItems({collection, now}: {collection: CollectionNode; now: number}) {
  const {moment} = useGraphContext();
  const {answer} = useSubscription(
    collection.kind === 'source'
      ? null
      : {
          ask: 'trace',
          collection: collection.name,
          limit: 100,
          since: moment === null ? undefined : moment - 1,
          until: moment ?? undefined,
        },
  );
  const runs = newestRuns(answer?.runs ?? []);
  if (runs.length === 0 && collection.last)
    return (
      <span className="node-items column">
        <ItemLine
          input={collection.last.key}
          outcome={collection.last.outcome}
          age={ageText(now - collection.last.at)}
        />
      </span>
    );
  return (
    <span className="node-items column">
      {runs.map(run => (
        <ItemLine
          key={run.input}
          input={run.input}
          outcome={run.outcome}
          age={run.outcome === 'equal' ? 'equal' : moment !== null ? '' : ageText(now - run.at)}
        />
      ))}
    </span>
  );
}

function ItemLine({input, outcome, age}: {input: string; outcome: RunRecord['outcome']; age: string}) {
  return (
    <span className="node-item-line row">
      <StateGlyph outcome={outcome} size={8} />
      <code title={input}>{shortenMiddle(input.slice(input.lastIndexOf('/') + 1), 12)}</code>
      <span className="node-age">{age}</span>
    </span>
  );
}

function newestRuns(runs: readonly RunRecord[]): RunRecord[] {
  const found = new Map<string, RunRecord>();
  for (const run of [...runs].sort((a, b) => b.sequence - a.sequence)) {
    if (!found.has(run.input)) found.set(run.input, run);
    if (found.size === 3) break;
  }
  return [...found.values()];
}
