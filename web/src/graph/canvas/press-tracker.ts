// What a hand presses on the canvas. Acts by name when the pointer comes up again: a picture that is drawn anew, or moves,
// between press and release takes the browser's own click to the element around both places, where nobody hears it.

/** A node, by its id, or the names behind a stub; what the first of two presses hit decides what the second means. */
export interface PressTarget {
  node?: string;
  stub?: readonly string[];
}

interface PressPoint {
  x: number;
  y: number;
  time: number;
}

/** Further than this it was a drag. */
const MAX_DRIFT = 6;
/** As browsers count a double click. */
const DOUBLE_PRESS_MS = 500;

export type PressAction = {kind: 'once' | 'twice'; on: PressTarget};

export class PressTracker {
  #down: (PressPoint & {on: PressTarget; second: boolean}) | undefined;
  #before: (PressPoint & {on: PressTarget}) | undefined;

  down(on: PressTarget, at: PressPoint): void {
    const before = this.#before;
    const second = before !== undefined && at.time - before.time < DOUBLE_PRESS_MS && isNear(before, at);
    this.#down = {...at, on: second ? before.on : on, second};
  }

  /** What was meant, if the hand kept still. A second press on a stub means nothing: it has been opened. */
  up(at: PressPoint): PressAction | undefined {
    const down = this.#down;
    this.#down = undefined;
    if (down === undefined || !isNear(down, at)) {
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

function isNear(one: PressPoint, other: PressPoint): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) <= MAX_DRIFT;
}
