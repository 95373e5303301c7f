// What a hand presses on the canvas. Acts by name when the pointer comes up again: a picture that is drawn anew, or moves,
// between press and release takes the browser's own click to the element around both places, where nobody hears it.

/** A node, by its id, or the names behind a stub; what the first of two presses hit decides what the second means. */
export interface Pressed {
  node?: string;
  stub?: readonly string[];
}

interface At {
  x: number;
  y: number;
  time: number;
}

/** Further than this it was a drag. */
const STILL = 6;
/** As browsers count a double click. */
const TWICE = 500;

export type Meant = {kind: 'once' | 'twice'; on: Pressed};

export class Press {
  #down: (At & {on: Pressed; second: boolean}) | undefined;
  #before: (At & {on: Pressed}) | undefined;

  down(on: Pressed, at: At): void {
    const before = this.#before;
    const second = before !== undefined && at.time - before.time < TWICE && near(before, at);
    this.#down = {...at, on: second ? before.on : on, second};
  }

  /** What was meant, if the hand kept still. A second press on a stub means nothing: it has been opened. */
  up(at: At): Meant | undefined {
    const down = this.#down;
    this.#down = undefined;
    if (down === undefined || !near(down, at)) {
      this.#before = undefined;
      return undefined;
    }
    this.#before = down.second ? undefined : {x: down.x, y: down.y, time: at.time, on: down.on};
    if (!down.second) return {kind: 'once', on: down.on};
    return down.on.node === undefined ? undefined : {kind: 'twice', on: down.on};
  }

  cancel(): void {
    this.#down = undefined;
  }
}

function near(one: At, other: At): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) <= STILL;
}
