// Lays rows out in columns that fit the terminal: long cells are cut, then the last columns are left out.
import {toOneLine} from '../../terminal.ts';
import {type Colours, paintState} from '../colours.ts';

const GAP = 3;
/** The least width of a cut column. */
const LEAST = 12;

export class TableLayout {
  readonly #widths: number[];
  readonly #colours: Colours;
  readonly #isCut: boolean;
  readonly #headers: readonly string[];
  /** Columns that did not fit. */
  readonly dropped: readonly string[];

  /** Without a width, as in a pipe, nothing is cut. */
  constructor(
    headers: readonly string[],
    rows: readonly (readonly string[])[],
    {width, colours}: {width: number | undefined; colours: Colours},
  ) {
    const widths = headers.map((header, i) =>
      Math.max(header.length, ...rows.map(row => toOneLine(row[i] ?? '').length)),
    );
    this.#widths = width === undefined ? widths : fit(widths, headers, width);
    this.#headers = headers.slice(0, this.#widths.length);
    this.dropped = headers.slice(this.#widths.length);
    this.#colours = colours;
    this.#isCut = width !== undefined;
  }

  header(): string {
    return this.#join(this.#headers, this.#colours.bold);
  }

  line(cells: readonly string[]): string {
    return this.#join(cells, text => paintState(text, this.#colours));
  }

  #join(cells: readonly string[], paint: (text: string) => string): string {
    return this.#widths
      .map((width, i) => {
        const whole = toOneLine(cells[i] ?? '');
        const text = this.#isCut && whole.length > width ? `${whole.slice(0, width - 1)}…` : whole;
        const isLast = i === this.#widths.length - 1;
        return paint(text) + (isLast ? '' : ' '.repeat(Math.max(0, width - text.length) + GAP));
      })
      .join('')
      .trimEnd();
  }
}

const total = (widths: readonly number[]) =>
  widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1);

function fit(wanted: readonly number[], headers: readonly string[], width: number): number[] {
  const widths = [...wanted];
  for (;;) {
    // The first column is the name of the row: it is cut last.
    const over = total(widths) - width;
    if (over <= 0) return widths;
    const cuttable = widths
      .map((one, i) => ({i, spare: one - Math.max(LEAST, (headers[i] as string).length)}))
      .filter(({i, spare}) => i > 0 && spare > 0)
      .sort((a, b) => b.spare - a.spare)[0];
    if (cuttable !== undefined) {
      widths[cuttable.i] = (widths[cuttable.i] as number) - Math.min(over, cuttable.spare);
      continue;
    }
    if (widths.length > 2) {
      widths.pop();
      continue;
    }
    const first = Math.max(LEAST, (widths[0] as number) - over);
    return [first, ...widths.slice(1)];
  }
}
