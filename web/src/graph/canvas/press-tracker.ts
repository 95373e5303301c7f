// Recognises clicks on the canvas by name. If the drawing moves between press and release,
// the browser sends its click to another element, so the canvas cannot rely on it.

/** The id of a node, or the names behind a stub. */
export interface PressTarget {
  node?: string;
  stub?: readonly string[];
}

interface PressPoint {
  x: number;
  y: number;
  time: number;
}

/** A longer movement is a drag. */
const MAX_DRIFT = 6;
/** The usual double-click time of browsers. */
const DOUBLE_PRESS_MS = 500;

type PressAction = {kind: 'once' | 'twice'; on: PressTarget};

export class PressTracker {
  #down: (PressPoint & {on: PressTarget; second: boolean}) | undefined;
  #before: (PressPoint & {on: PressTarget}) | undefined;

  down(on: PressTarget, at: PressPoint): void {
    const before = this.#before;
    const second = before !== undefined && at.time - before.time < DOUBLE_PRESS_MS && isNear(before, at);
    this.#down = {...at, on: second ? before.on : on, second};
  }

  /** The gesture, or undefined for a drag. A second press on a stub has no meaning, because it is open. */
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
