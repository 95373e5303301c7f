// The outline of each kind of collection as SVG paths.
import type {CollectionNodeKind} from '@krtscope/shared/vocabulary.ts';

interface NodeOutline {
  /** The closed outline. */
  body: string;
  /** More strokes: the second edge of a source, the cards behind a one-to-many. */
  behind: string[];
}

/** Padding that keeps the text away from the outline. */
export function nodePadding(kind: CollectionNodeKind): {left: number; right: number} {
  switch (kind) {
    case 'source':
      return {left: 16, right: 12};
    case 'join':
    case 'singleton':
      return {left: 18, right: 18};
    case 'status':
      return {left: 12, right: 22};
    default:
      return {left: 12, right: 12};
  }
}

export function nodeOutline(kind: CollectionNodeKind, w: number, h: number): NodeOutline {
  switch (kind) {
    case 'source':
      return {body: rounded(w, h, 2), behind: [`M5 0V${h}`]};
    case 'static':
    case 'trigger':
    case 'file':
      return {
        body: `M2 0H${w - 14}L${w} 14V${h - 2}a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2Z`,
        behind: [],
      };
    case 'many':
      return {
        body: rounded(w, h, 8),
        behind: [card(w, h, 4), card(w, h, 8)],
      };
    case 'singleton':
      return {body: rounded(w, h, Math.min(h / 2, 28)), behind: []};
    case 'join': {
      const tip = Math.min(14, h / 4);
      return {body: `M${tip} 0H${w - tip}L${w} ${h / 2}L${w - tip} ${h}H${tip}L0 ${h / 2}Z`, behind: []};
    }
    case 'status': {
      const notch = Math.min(12, h / 4);
      return {body: `M2 0H${w}L${w - notch} ${h / 2}L${w} ${h}H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2Z`, behind: []};
    }
    default:
      return {body: rounded(w, h, 8), behind: []};
  }
}

function rounded(w: number, h: number, r: number): string {
  return `M${r} 0H${w - r}a${r} ${r} 0 0 1 ${r} ${r}V${h - r}a${r} ${r} 0 0 1-${r} ${r}H${r}a${r} ${r} 0 0 1-${r}-${r}V${r}a${r} ${r} 0 0 1 ${r}-${r}Z`;
}

/** The right edge of a card behind the node, `d` further out. */
function card(w: number, h: number, d: number): string {
  const top = d * 0.75;
  return `M${w + d - 7} ${top}q7 1 7 8V${h - top - 8}q0 7-7 8`;
}
