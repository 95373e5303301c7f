// The effects of a run, the waterfall, and the impact of the root write.
import type {Why} from '@krtscope/shared/why.ts';
import {useState} from 'react';
import {select} from '../store/navigation.ts';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {OutcomeWord, outcomeTone, RunGlyph, StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {shortenMiddle} from '../ui/text/shorten-middle.ts';
import {type EffectLine, effectLines} from './effect-lines.ts';
import {createWaterfall, formatSpan} from './waterfall.ts';
import {useWavePlayback} from './wave-playback.ts';
import './effects-panel.css';

export function EffectsPanel({why}: {why: Why}) {
  return (
    <section className="effect" aria-label="Effect" tabIndex={-1}>
      <header className="side-head">
        <span className="label side-effect">Effect ▸</span>
        <span className="side-keys">
          <Kbd keys="Tab" /> to focus
        </span>
      </header>
      <Effects why={why} />
      <Waterfall why={why} />
      <Impact why={why} />
    </section>
  );
}

function Effects({why}: {why: Why}) {
  const [open, setOpen] = useState(false);
  const lines = effectLines(why.effects, open);
  if (lines.length === 0)
    return (
      <p className="effect-none">
        {why.outcome === 'equal'
          ? 'The change stopped here. An equal result starts no other runs.'
          : 'No downstream items ran.'}
      </p>
    );
  return (
    <ul className="effects plain-list">
      {lines.map(line => (
        <EffectRow
          key={`${line.effect.collection} ${line.effect.key} ${line.effect.depth}`}
          line={line}
          at={line.at}
          onMore={() => setOpen(true)}
        />
      ))}
    </ul>
  );
}

function EffectRow({line, at, onMore}: {line: EffectLine; at: number; onMore: () => void}) {
  const {effect} = line;
  const playing = useWavePlayback(state => state.step?.part === 'effect' && state.step.at === at);
  const ran = effect.run !== undefined;
  return (
    <li>
      <div
        className={`effect-row row gap-8 ${ran ? '' : 'effect-quiet'} ${playing ? 'playing' : ''}`}
        style={{paddingLeft: Math.min(5, effect.depth) * 18}}
      >
        {effect.depth > 0 ? <span className="elbow" aria-hidden="true" /> : null}
        <span className="effect-glyph">
          {effect.outcome && ran ? <StateGlyph tone={outcomeTone[effect.outcome]} /> : null}
        </span>
        <ItemChip
          collection={effect.collection}
          itemKey={effect.key}
          side="effect"
          longest={effect.collection.length > 12 ? 9 : 18}
        />
        {effect.outcome && ran ? <OutcomeWord outcome={effect.outcome} /> : null}
        {effect.stopped ? (
          <span
            className={`effect-stop ellipsis ${ran && effect.stopped.reason === 'equal' ? 'effect-short' : ''}`}
            title={`${effect.stopped.text}${effect.duration === undefined ? '' : `, ran ${formatSpan(effect.duration)}`}`}
          >
            {ran ? '■ ' : ''}
            {effect.stopped.reason === 'equal' && ran ? 'stop' : effect.stopped.text}
          </span>
        ) : null}
        {effect.duration !== undefined && !effect.stopped ? (
          <span className="effect-time">{formatSpan(effect.duration)}</span>
        ) : null}
      </div>
      {line.more > 0 ? (
        <button type="button" className="text-button bare-button more" onClick={onMore}>
          and {line.more} more {effect.collection} {effect.outcome ?? ''}
        </button>
      ) : null}
    </li>
  );
}

/** The part of a key that differs from its siblings, short enough for the waterfall. */
function keyEnding(key: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const dash = name.lastIndexOf('-');
  return name.length > 10 && dash > 0 ? `…${name.slice(dash + 1)}` : shortenMiddle(name, 10);
}

function Waterfall({why}: {why: Why}) {
  const {rows, most, ticks} = createWaterfall(why);
  if (rows.length < 2) return null;
  const share = (value: number) => `${(value / most) * 100}%`;
  return (
    <section className="fall" aria-label="Waterfall">
      <header className="fall-head row">
        <span className="label">Waterfall</span>
        <span className="fall-key inline-row gap-6">
          <i className="fall-wait" /> queue wait <i className="fall-run" /> run
        </span>
      </header>
      {rows.map((row, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are steps in time, one item may come twice
        <div key={position} className="fall-row row">
          <span className="fall-name ellipsis" title={`${row.collection} ${row.key}`}>
            {row.collection} {row.collection.length > 12 ? null : <code>{keyEnding(row.key)}</code>}
          </span>
          <span
            className="fall-track"
            role="img"
            aria-label={
              row.source
                ? 'the write'
                : `waited ${formatSpan(row.start - row.wait)}, ran ${formatSpan(row.end - row.start)}`
            }
          >
            <i className="fall-wait" style={{left: share(row.wait), width: share(row.start - row.wait)}} />
            <i
              className={`fall-run ${row.outcome === 'equal' ? 'fall-equal' : ''} ${row.source ? 'fall-source' : ''}`}
              style={{left: share(row.start), width: `max(5px, ${share(row.end - row.start)})`}}
            />
          </span>
        </div>
      ))}
      <div className="fall-row row fall-axis" aria-hidden="true">
        <span className="fall-name ellipsis" />
        <span className="fall-track">
          {ticks.map((tick, position) => (
            <span key={tick} style={{left: share(tick)}}>
              {tick}
              {position === ticks.length - 1 ? ' ms' : ''}
            </span>
          ))}
        </span>
      </div>
    </section>
  );
}

const MAX_IMPACT_DOTS = 36;

function Impact({why}: {why: Why}) {
  const total = why.blast.reduce((sum, one) => sum + one.total, 0);
  if (total === 0) return null;
  const changed = why.blast
    .flatMap(one => one.marks)
    .filter(mark => outcomeTone[mark.outcome] === 'changed').length;
  return (
    <section className="blast" aria-label="Impact of this write">
      <header className="fall-head row">
        <span className="label">Impact of this write</span>
        <span className="fall-key inline-row gap-6">
          {total} {total === 1 ? 'run' : 'runs'}, {changed} changed
        </span>
      </header>
      {why.blast.map(one => (
        <div key={one.collection} className="blast-row">
          <span className="blast-name">
            {one.collection} <span>{one.total}</span>
          </span>
          <span className="blast-dots row">
            {one.marks.slice(0, MAX_IMPACT_DOTS).map(mark => (
              <button
                key={mark.id}
                type="button"
                className={`blast-dot inline-row bare-button ${mark.id === why.run?.id ? 'blast-own' : ''}`}
                title={`${one.collection} ${mark.input}: ${mark.outcome}`}
                aria-label={`${one.collection} ${mark.input}, ${mark.outcome}`}
                onClick={() => select({collection: one.collection, key: mark.input, run: mark.id})}
              >
                <RunGlyph outcome={mark.outcome} size={10} />
              </button>
            ))}
            {one.total > MAX_IMPACT_DOTS ? (
              <span className="blast-more">+{one.total - MAX_IMPACT_DOTS}</span>
            ) : null}
          </span>
        </div>
      ))}
    </section>
  );
}
