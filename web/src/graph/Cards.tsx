// What floats over the drawing: config shelf, legend, and the honest count of what is drawn.
import {setParams} from '../store/app.ts';
import {select} from '../store/hooks.ts';
import {Icon} from '../ui/Icon.tsx';
import {KindMark} from '../ui/kind.tsx';
import {StateGlyph} from '../ui/state.tsx';
import type {Drawing} from './drawing.ts';
import {outline} from './node-shape.ts';
import {leftOutWords} from './rank.ts';
import type {GraphChoice} from './use-graph-choice.ts';

export function Shelf({drawing, onHub}: {drawing: Drawing; onHub: (hub: string | undefined) => void}) {
  return (
    <section className="gcard shelf" aria-label="Config shelf">
      <header className="gcard-head">
        <span className="label">Config shelf</span>
        <span className="gcard-note">read by many, readers shown on hover</span>
      </header>
      <div className="shelf-row">
        {drawing.shelf.map(({collection, readers}) => (
          <button
            key={collection.name}
            type="button"
            className={`shelf-item shelf-${collection.kind}`}
            onPointerEnter={() => onHub(collection.name)}
            onPointerLeave={() => onHub(undefined)}
            onFocus={() => onHub(collection.name)}
            onBlur={() => onHub(undefined)}
            onClick={() => select({collection: collection.name})}
          >
            <svg width={132} height={48} viewBox="-1 -1 134 50" aria-hidden="true">
              <path d={outline(collection.kind, 132, 48).body} className="node-outline" />
            </svg>
            <span className="shelf-name">
              {collection.name} <KindMark kind={collection.kind} />
            </span>
            <span className="shelf-note">
              {collection.size.toLocaleString('en')} {collection.size === 1 ? 'item' : 'items'},{' '}
              {readers.length} {readers.length === 1 ? 'reader' : 'readers'}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

export function Legend({sampled}: {sampled: string}) {
  return (
    <div className="gcard legend" aria-hidden="true">
      <span>
        <StateGlyph tone="changed" /> changed
      </span>
      <span>
        <StateGlyph tone="noop" /> stops here, equal
      </span>
      <span>
        <StateGlyph tone="error" /> error
      </span>
      <i className="legend-rule" />
      <span>
        <i className="legend-line legend-input" /> primary
      </span>
      <span>
        <i className="legend-line legend-fetch" /> fetch
      </span>
      <span>
        <i className="legend-line legend-join" /> join
      </span>
      <span>
        <i className="legend-index">#</i> via index
      </span>
      {sampled === '' ? null : <span>showing {sampled} pulses</span>}
    </div>
  );
}

/** `drawn 18 of 26, 8 not drawn: idle, healthy`, with the way to draw them. */
export function DrawnFoot({
  drawing,
  choice,
  items,
  slow,
}: {
  drawing: Drawing;
  choice: GraphChoice;
  items: {drawn: number; left: number} | undefined;
  slow: boolean;
}) {
  if (items)
    return (
      <div className="drawn" role="status">
        drawn <b>{items.drawn}</b>{' '}
        {items.left > 0
          ? `of ${items.drawn + items.left} items, ${items.left} not drawn: over the budget`
          : 'items that took part'}
      </div>
    );
  const words = leftOutWords(drawing, choice);
  return (
    <div className="drawn" role="status">
      <span>
        drawn <b>{drawing.drawn}</b> of {drawing.of}
      </span>
      {words === '' ? null : <span className="drawn-left">{words}</span>}
      {slow ? (
        <span className="drawn-slow">
          <Icon name="clock" size={12} /> still arranging
        </span>
      ) : null}
      {choice.opened.size > 0 ? (
        <button type="button" className="drawn-button" onClick={() => setParams({opened: null})}>
          re-arrange
        </button>
      ) : null}
    </div>
  );
}
