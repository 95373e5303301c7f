// The recorded runs of an item, newest first. A click opens Why.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {RunRecord, TraceAnswer} from '@krtscope/shared/run.ts';
import {navigate} from '../store/app.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {useRovingFocus} from '../ui/hooks/use-roving-focus.ts';
import {OutcomeWord} from '../ui/indicators/outcome-state.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';
import {Age} from '../ui/text/Age.tsx';
import './runs-tab.css';

export function RunsTab({item}: {item: ItemDetail}) {
  const input = item.inputs[0] ?? item.key;
  const path = `/trace?collection=${encodeURIComponent(item.collection)}&key=${encodeURIComponent(input)}&limit=200`;
  const {answer} = useAnswer<TraceAnswer>(item.strip.length === 0 ? null : path, item.sequence);
  const runs = new Map((answer?.runs ?? []).map(run => [run.id, run]));
  const rove = useRovingFocus('.run-row');
  if (item.strip.length === 0) {
    return (
      <EmptyState title={item.inputs.length === 0 ? 'A source has no runs' : 'No runs recorded'}>
        {item.inputs.length === 0
          ? 'It changes when the cluster changes.'
          : 'The runs are older than the recording.'}
      </EmptyState>
    );
  }
  return (
    <ol className="inspector-scroll run-rows plain-list" onKeyDown={rove.onKeyDown} ref={rove.list}>
      {[...item.strip].reverse().map((mark, at) => (
        <li key={mark.id}>
          <button
            type="button"
            className="run-row"
            tabIndex={at === 0 ? 0 : -1}
            onClick={() => navigate({view: 'why', run: mark.id, moment: mark.sequence})}
          >
            <OutcomeWord outcome={mark.outcome} />
            <span className="run-cause ellipsis">{causeText(runs.get(mark.id))}</span>
            <span className="run-when">
              <Age at={mark.at} />
            </span>
          </button>
        </li>
      ))}
      {item.beyond.before > 0 ? (
        <li className="run-more">
          {item.beyond.before} older {item.beyond.before === 1 ? 'run' : 'runs'}. Go back in time to see{' '}
          {item.beyond.before === 1 ? 'it' : 'them'}.
        </li>
      ) : null}
    </ol>
  );
}

/** The first cause of a run in a few words. */
export function causeText(run: RunRecord | undefined): string {
  const cause = run?.causes[0];
  if (cause === undefined) return '';
  if (cause.kind === 'synced') return 'first run, after sync';
  if (cause.kind === 'trigger') return 'recompute trigger';
  if (cause.kind === 'formula') return 'formula changed';
  const more = run!.causes.length > 1 ? ` and ${run!.causes.length - 1} more` : '';
  return `${cause.collection ?? ''} ${cause.key ?? ''}${more}`;
}
