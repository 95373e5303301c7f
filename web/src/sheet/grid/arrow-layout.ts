// Geometry of the selected cell's arrows: along column rules and below the last row, never across text.

export interface ArrowBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface ArrowLayoutInput {
  /** The selected cell. */
  self: ArrowBox;
  /** Cells in the same row, one level away. */
  precedent?: ArrowBox;
  dependents: ArrowBox[];
  /** The centre of the changed lookup's chip in the lookup bar, and the end of the rows. */
  lookup?: {x: number; label: string};
  floor: number;
  view: {width: number; height: number; left: number};
}

interface CellArrow {
  d: string;
  side: 'cause' | 'effect';
  head: {x: number; y: number; turn: 0 | -90};
  label?: {x: number; y: number; text: string};
}

const REACH = 15;
const ROUND = 6;

export function layoutArrows(input: ArrowLayoutInput): CellArrow[] {
  const {self, view} = input;
  const found: CellArrow[] = [];
  const y = self.y + 14;
  const visible = y > 0 && y < view.height;
  if (input.precedent && visible && self.x - REACH > view.left)
    found.push({d: `M${self.x - REACH} ${y}H${self.x - 7}`, side: 'cause', head: {x: self.x, y, turn: 0}});
  const next = input.dependents[0];
  if (next && visible && self.x + self.width > view.left)
    found.push({
      d: `M${self.x + self.width} ${y}h1`,
      side: 'effect',
      head: {x: self.x + self.width + 8, y, turn: 0},
    });
  const bottom = self.y + self.height;
  if (input.lookup && self.x > view.left && bottom < view.height && bottom > -self.height) {
    found.push(lookupArrow(self, bottom, input.lookup, Math.max(input.floor, bottom + 20), view.height));
  }
  return found;
}

/** The path from the bar: up, along the strip below the last row, then up the column's rule to the cell. */
function lookupArrow(
  self: ArrowBox,
  bottom: number,
  lookup: {x: number; label: string},
  floor: number,
  height: number,
): CellArrow {
  const x = self.x;
  const turn = Math.min(height - 12, floor + 14);
  const side = lookup.x <= x ? 1 : -1;
  // Rows that reach the bar leave no strip, so the path goes straight up the rule.
  const flat = floor > height - 24 || Math.abs(lookup.x - x) < ROUND * 2;
  const d = flat
    ? `M${x} ${height}V${bottom + 8}`
    : `M${lookup.x} ${height}V${turn + ROUND}q0 ${-ROUND} ${side * ROUND} ${-ROUND}H${x - side * ROUND}q${side * ROUND} 0 ${side * ROUND} ${-ROUND}V${bottom + 8}`;
  return {
    d,
    side: 'cause',
    head: {x, y: bottom, turn: -90},
    // A label on the rule would cover values, so this path has none.
    ...(!flat && {label: {x: (lookup.x + x) / 2, y: turn, text: lookup.label}}),
  };
}
