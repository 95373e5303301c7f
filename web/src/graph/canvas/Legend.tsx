// The legend, and the count of drawn and omitted nodes.
import {setParams} from '../../store/app.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import type {Drawing} from '../drawing/drawing.ts';
import {foldedWords, leftOutWords} from '../drawing/node-rank.ts';
import type {GraphChoice} from '../use-graph-choice.ts';
import './legend.css';

export function Legend({sampled}: {sampled: string}) {
  return (
    <div className="legend row" aria-hidden="true">
      <span title="A quiet collection that changed in the last seconds">
        <StateGlyph tone="changed" /> just changed
      </span>
      <span title="Changes often, so a change is not highlighted">
        <i className="node-busy" /> busy
      </span>
      <span>
        <StateGlyph tone="noop" /> equal, stopped here
      </span>
      <span>
        <StateGlyph tone="error" /> failed
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
        <i className="legend-index inline-row">#</i> via index
      </span>
      {sampled === '' ? null : <span>showing {sampled} pulses</span>}
    </div>
  );
}

/** `drawn 18 of 26, 8 not drawn: idle, healthy`. */
export function DrawnCount({
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
  const words = [leftOutWords(drawing, choice), foldedWords(drawing)].filter(Boolean).join(', ');
  return (
    <div className="drawn" role="status">
      <span>
        drawn <b>{drawing.drawn}</b> of {drawing.of}
      </span>
      {words === '' ? null : (
        <span className="drawn-left" title={words}>
          {words}
        </span>
      )}
      {slow ? (
        <span className="drawn-slow inline-row gap-5">
          <Icon name="clock" size={12} /> arranging…
        </span>
      ) : null}
      {choice.opened.size > 0 ? (
        <button
          type="button"
          className="drawn-button inline-row bare-button"
          onClick={() => setParams({opened: null})}
        >
          close opened nodes
        </button>
      ) : null}
    </div>
  );
}
