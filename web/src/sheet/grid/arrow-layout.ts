// Arrows of the selected cell: on column rules and below the last row, never across text. Geometry only.

export interface ArrowBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ArrowLayoutInput {
  /** The selected cell group. */
  self: ArrowBox;
  /** Cells in the same row, one level away. */
  precedent?: ArrowBox;
  dependents: ArrowBox[];
  /** The middle of the chip in the "also reads" bar that has the changed lookup, and where the rows end. */
  lookup?: {x: number; label: string};
  floor: number;
  view: {width: number; height: number; left: number};
}

export interface CellArrow {
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

/** Up from the bar, along the strip below the last row, then on the column's rule to the cell. */
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
  // Where the rows reach the bar there is no strip to run along: straight up the rule.
  const flat = floor > height - 24 || Math.abs(lookup.x - x) < ROUND * 2;
  const d = flat
    ? `M${x} ${height}V${bottom + 8}`
    : `M${lookup.x} ${height}V${turn + ROUND}q0 ${-ROUND} ${side * ROUND} ${-ROUND}H${x - side * ROUND}q${side * ROUND} 0 ${side * ROUND} ${-ROUND}V${bottom + 8}`;
  return {
    d,
    side: 'cause',
    head: {x, y: bottom, turn: -90},
    // On the rule a label would cover the values beside it: there the chip's own words have to do.
    ...(!flat && {label: {x: (lookup.x + x) / 2, y: turn, text: lookup.label}}),
  };
}
