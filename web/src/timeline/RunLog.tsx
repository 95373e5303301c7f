// The run log: every recorded run, newest first, filtered by collection, outcome and words. Opens above the
// Timeline.
import type {RunRecord} from '@krtscope/shared/run.ts';
import {outcomes} from '@krtscope/shared/vocabulary.ts';
import {useDeferredValue, useMemo, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {navigate} from '../store/app.ts';
import {useMoment, useParam} from '../store/navigation.ts';
import {useGraph, useKind, useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import {KindShape} from '../ui/indicators/collection-kind.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {OutcomeWord} from '../ui/indicators/outcome-state.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';
import {ageText, clockText} from '../ui/text/Age.tsx';
import {shortenMiddle} from '../ui/text/shorten-middle.ts';
import {formatSpan} from '../why/waterfall.ts';
import {logLines, type RunLogLine} from './run-log-lines.ts';
import {setLogOpen} from './run-log-state.ts';
import {useSteadyRuns} from './use-steady-runs.ts';
import './run-log.css';

const MAX_RUNS = 500;

export function RunLog() {
  const [collection] = useParam('logc');
  const [outcome] = useParam('logo');
  const [text] = useParam('logq');
  const {moment} = useMoment();
  const subscription = useSubscription({
    ask: 'trace',
    limit: MAX_RUNS,
    collection: collection ?? undefined,
    outcome: outcomes.find(one => one === outcome),
    until: moment ?? undefined,
  });
  // A storm brings hundreds of runs a second, so lines update when there is time.
  const latest = useDeferredValue(useLastAnswer(subscription)?.runs);
  const steady = useSteadyRuns(latest, `${collection} ${outcome} ${text} ${moment}`);
  const {runs} = steady;
  const lines = useMemo(() => logLines((runs ?? []).slice(-MAX_RUNS), text ?? ''), [runs, text]);
  useKeys({Escape: {run: () => setLogOpen(false)}});
  return (
    <section className="log" aria-label="Runs">
      <LogHead count={latest?.length ?? 0} newer={steady.newer} onNewer={steady.showNewer} />
      {runs !== undefined && lines.length === 0 ? (
        <EmptyState title={text ? `No matches for "${text}"` : 'No matching runs'}>
          {runs.length === 0
            ? 'No formula has run yet, or no run had this outcome.'
            : `${runs.length} newer runs do not match.`}
        </EmptyState>
      ) : (
        <ol
          className="log-lines plain-list"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
          tabIndex={0}
          onPointerEnter={steady.hold}
          onPointerLeave={steady.release}
        >
          {lines.map(line =>
            line.kind === 'quiet' ? (
              <li key={line.id} className="log-quiet">
                {ageText(line.milliseconds)} quiet
              </li>
            ) : (
              <FoldedRuns key={line.id} line={line} />
            ),
          )}
        </ol>
      )}
    </section>
  );
}

function LogHead({count, newer, onNewer}: {count: number; newer: number; onNewer: () => void}) {
  const [collection, setCollection] = useParam('logc');
  const [outcome, setOutcome] = useParam('logo');
  const [text, setText] = useParam('logq');
  const graph = useGraph();
  const derived = (graph?.collections ?? []).filter(node => node.kind !== 'source');
  return (
    <header className="log-head bar">
      <span className="label">Runs</span>
      <span className="log-count">
        {count >= MAX_RUNS ? `the ${MAX_RUNS} newest` : `${count.toLocaleString('en')} kept`}, repeats folded
      </span>
      {newer === 0 ? null : (
        <button
          type="button"
          className="log-newer"
          title="The log stands still while the pointer is over it"
          onClick={onNewer}
        >
          {newer.toLocaleString('en')} new
        </button>
      )}
      <select
        aria-label="Collection"
        value={collection ?? ''}
        onChange={event => setCollection(event.target.value || null)}
      >
        <option value="">all collections</option>
        {derived.map(node => (
          <option key={node.name}>{node.name}</option>
        ))}
      </select>
      <select
        aria-label="Outcome"
        value={outcome ?? ''}
        onChange={event => setOutcome(event.target.value || null)}
      >
        <option value="">any outcome</option>
        {outcomes.map(one => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <input
        className="log-text"
        value={text ?? ''}
        placeholder="key, cause…"
        aria-label="Filter runs"
        spellCheck={false}
        onChange={event => setText(event.target.value || null)}
      />
      <IconButton icon="close" label="Close the log" onClick={() => setLogOpen(false)} />
    </header>
  );
}

function FoldedRuns({line}: {line: Extract<RunLogLine, {kind: 'runs'}>}) {
  const [open, setOpen] = useState(false);
  const many = line.runs.length > 1;
  const first = line.runs[0]!;
  return (
    <li>
      <LogRow
        run={first}
        line={line}
        fold={many ? {count: line.runs.length, open, turn: () => setOpen(!open)} : undefined}
      />
      {open ? (
        <ol className="log-inner plain-list">
          {line.runs.slice(0, 200).map(run => (
            <li key={run.id}>
              <LogRow run={run} line={line} />
            </li>
          ))}
        </ol>
      ) : null}
    </li>
  );
}

function LogRow({
  run,
  line,
  fold,
}: {
  run: RunRecord;
  line: Extract<RunLogLine, {kind: 'runs'}>;
  fold?: {count: number; open: boolean; turn: () => void};
}) {
  const kind = useKind(line.collection);
  const open = () => navigate({view: 'why', collection: run.collection, key: run.input, run: run.id});
  return (
    <button
      type="button"
      className="log-row row bare-button gap-10"
      onClick={fold ? fold.turn : open}
      aria-expanded={fold?.open}
      title={fold ? 'Unfold' : `Why, run #${run.id}`}
    >
      <span className="log-time">{clockText(run.at, true)}</span>
      <span className="log-turn">#{run.sequence}</span>
      <KindShape kind={kind} size={14} />
      <span className="log-collection" title={line.collection}>
        {line.collection}
      </span>
      <code className="log-key" title={run.input}>
        {fold ? `${fold.count} items` : shortenMiddle(run.input, 40)}
      </code>
      <OutcomeWord outcome={line.outcome} />
      <span className="log-cause" title={line.cause}>
        {line.cause === '' ? '' : `because ${line.cause}`}
      </span>
      <span className="log-took">
        {formatSpan(fold ? line.runs.reduce((sum, one) => sum + one.duration, 0) : run.duration)}
      </span>
      <Icon name={fold ? (fold.open ? 'down' : 'right') : 'why'} size={12} />
    </button>
  );
}
