// The chain of causes, newest first. Each hop has its outcome, time and changed paths.
import type {RunCause} from '@krtscope/shared/run.ts';
import type {Hop} from '@krtscope/shared/why.ts';
import {useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {useParam} from '../store/navigation.ts';
import {useCollection} from '../stream/use-subscription.ts';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {OutcomeWord, outcomeTone, StateGlyph, ToneWord} from '../ui/indicators/outcome-state.tsx';
import {clockText} from '../ui/text/Age.tsx';
import {ChangedPaths} from './answer/ChangedPaths.tsx';
import {writePath, writeVerb} from './root-write.ts';
import {formatSpan} from './waterfall.ts';
import {useWavePlayback} from './wave-playback.ts';
import './cause-chain.css';

const MAX_HOPS_SHOWN = 10;
const noHops: ReadonlySet<number> = new Set();

export function CauseChain({hops}: {hops: readonly Hop[]}) {
  const [hop, setHop] = useParam('hop');
  const at = Math.max(0, Math.min(hops.length - 1, Number(hop) || 0));
  // Another answer starts with all hops open.
  const [folds, setFolds] = useState<{of: readonly Hop[]; shut: ReadonlySet<number>}>({
    of: hops,
    shut: noHops,
  });
  const shut = folds.of === hops ? folds.shut : noHops;
  const [all, setAll] = useState(false);
  const turn = (position: number, close: boolean) => {
    const next = new Set(shut);
    if (close) next.add(position);
    else next.delete(position);
    setFolds({of: hops, shut: next});
  };
  useKeys({
    ArrowDown: {
      says: 'next cause',
      group: 'Understand',
      run: () => setHop(String(Math.min(hops.length - 1, at + 1))),
    },
    ArrowUp: {
      says: 'previous cause',
      group: 'Understand',
      run: () => setHop(at <= 1 ? null : String(at - 1)),
    },
    ArrowRight: {says: 'show changed paths', group: 'Understand', run: () => turn(at, false)},
    ArrowLeft: {says: 'hide changed paths', group: 'Understand', run: () => turn(at, true)},
  });
  const shown = all ? hops : hops.slice(0, MAX_HOPS_SHOWN);
  return (
    <section className="cause" aria-label="Cause">
      <header className="side-head">
        <span className="label side-cause">◂ Cause</span>
        <span className="side-note" title="newest first, root write last">
          newest first, root write last
        </span>
        <span className="side-keys">
          <Kbd keys="ArrowUp" /> <Kbd keys="ArrowDown" /> step <Kbd keys="ArrowRight" /> expand
        </span>
      </header>
      <ol className="hops-list plain-list">
        {shown.map((one, position) => (
          <HopRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the same item may be in the chain twice
            key={`${position} ${one.sequence}`}
            hop={one}
            position={position}
            current={position === at && hop !== null}
            folded={shut.has(position)}
            last={position === hops.length - 1}
            onFold={() => turn(position, !shut.has(position))}
          />
        ))}
      </ol>
      {shown.length < hops.length ? (
        <button type="button" className="text-button bare-button more" onClick={() => setAll(true)}>
          and {hops.length - shown.length} more
        </button>
      ) : null}
    </section>
  );
}

function HopRow({
  hop,
  position,
  current,
  folded,
  last,
  onFold,
}: {
  hop: Hop;
  position: number;
  current: boolean;
  folded: boolean;
  last: boolean;
  onFold: () => void;
}) {
  const playing = useWavePlayback(state => state.step?.part === 'cause' && state.step.at === position);
  return (
    <li className={`hop-row ${last ? 'hop-last' : ''}`} aria-current={current ? 'step' : undefined}>
      {hop.cause && position > 0 ? <CauseBar cause={hop.cause} /> : null}
      <div className={`hop-line row gap-8 ${current ? 'hop-current' : ''} ${playing ? 'playing' : ''}`}>
        <span className="hop-dot inline-row">
          {hop.outcome ? (
            <StateGlyph tone={outcomeTone[hop.outcome] === 'plain' ? 'noop' : outcomeTone[hop.outcome]} />
          ) : (
            <StateGlyph tone="changed" />
          )}
        </span>
        <ItemChip collection={hop.collection} itemKey={hop.key} longest={46} />
        {hop.outcome && hop.kind === 'run' ? <OutcomeWord outcome={hop.outcome} /> : <EventWord hop={hop} />}
        {hop.changes.length > 0 ? (
          <button
            type="button"
            className="hop-fold inline-row bare-button gap-4"
            aria-expanded={!folded}
            onClick={onFold}
          >
            {folded ? `${hop.changes.length} ${hop.changes.length === 1 ? 'path' : 'paths'}` : ''}
            <Icon name={folded ? 'right' : 'down'} size={12} />
            <span className="visually-hidden">changed paths of {hop.key}</span>
          </button>
        ) : null}
        <span className="hop-time">{hopTime(hop)}</span>
      </div>
      {folded ? null : hop.changes.length > 0 ? (
        <div className="hop-diff">
          <ChangedPaths changes={hop.changes} />
        </div>
      ) : hop.kind === 'run' && hop.outcome === 'equal' ? (
        <p className="hop-equal">The result was equal. No output changed.</p>
      ) : null}
      {hop.kind === 'write' ? <RootWrite hop={hop} /> : null}
    </li>
  );
}

const eventWords = {add: 'added', update: 'updated', delete: 'deleted'} as const;

function EventWord({hop}: {hop: Hop}) {
  return hop.event ? (
    <ToneWord tone={hop.event === 'delete' ? 'plain' : 'changed'}>{eventWords[hop.event]}</ToneWord>
  ) : null;
}

function hopTime(hop: Hop): string {
  if (hop.kind === 'run' && hop.duration !== undefined) {
    const wait = hop.start === undefined ? '' : `wait ${formatSpan(hop.start)} · `;
    return `${wait}run ${formatSpan(hop.duration)}`;
  }
  const rv = hop.resourceVersion;
  const moved = rv?.new === undefined ? '' : ` · rv ${rv.old === undefined ? '' : `${rv.old} → `}${rv.new}`;
  return `${clockText(hop.at, true)}${moved}`;
}

/** Between two hops: the fetch with its filter, and whether the old and new object matched. */
function CauseBar({cause}: {cause: RunCause}) {
  if (cause.kind !== 'fetch')
    return (
      <div className="cause-bar row gap-10 cause-plain">
        <span className="cause-side" aria-hidden="true">
          ◂
        </span>
        {cause.kind === 'input'
          ? 'Primary input'
          : cause.kind === 'synced'
            ? 'Became synced'
            : cause.kind === 'trigger'
              ? 'Recompute trigger'
              : 'Formula changed'}
      </div>
    );
  const isOld = cause.matched === 'old' || cause.matched === 'both';
  const isNew = cause.matched === 'new' || cause.matched === 'both';
  return (
    <div className="cause-bar row gap-10">
      <span className="cause-side" aria-hidden="true">
        ◂
      </span>
      <b>Fetch</b>
      <code>{cause.collection}</code>
      <code className="cause-filter ellipsis" title={cause.filter}>
        {cause.filter ?? 'all'}
      </code>
      {cause.via ? (
        <span className="cause-via inline-row gap-6">
          {cause.via.kind === 'index' ? (
            <>
              <i className="legend-index inline-row">#</i> via {cause.via.name ?? ''} index
            </>
          ) : (
            'by scan'
          )}
        </span>
      ) : null}
      <span className="cause-match">
        <MatchWord word="old" yes={isOld} />
        <MatchWord word="new" yes={isNew} />
      </span>
    </div>
  );
}

function MatchWord({word, yes}: {word: string; yes: boolean}) {
  return (
    <span className={yes ? 'match' : 'match match-no'}>
      {word} {yes ? <Icon name="check" size={13} /> : '–'} <b>{yes ? 'match' : 'no match'}</b>
    </span>
  );
}

function RootWrite({hop}: {hop: Hop}) {
  const node = useCollection(hop.collection);
  return (
    <div className="root-write row gap-8">
      <span className="hop-dot inline-row hop-person">
        <Icon name="person" size={12} />
      </span>
      <b>Root write</b>
      <code title={`${writeVerb(hop)} ${writePath(hop, node?.resource)}`}>
        {writeVerb(hop)} {writePath(hop, node?.resource)}
      </code>
      {hop.writer ? <ToneWord>{hop.writer.manager}</ToneWord> : <ToneWord>unknown writer</ToneWord>}
      <span className="hop-time">{clockText(hop.at, true)}</span>
    </div>
  );
}
