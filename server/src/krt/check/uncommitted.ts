// A run that nothing comes of: no row changes, nobody comes to depend on anything, what it makes is ended with it. Where
// its reads are answered from is each one's own.

import type {ReadContext} from '../api/context.ts';
import type {Core} from '../graph/core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Filter} from '../query/filter.ts';
import {partOf} from '../query/query-node.ts';
import type {Made, Running} from '../run/run.ts';

const NONE: Made[] = [];

export abstract class Uncommitted implements ReadContext, Running {
  protected discarded = false;
  #made = NONE;
  #outer: Running | null = null;

  abstract read(core: Core, filters: readonly Filter[]): readonly unknown[];

  abstract toString(): string;

  /** From here to `leave` it is what runs. */
  protected enter(engine: EngineCore): void {
    this.discarded = false;
    this.#outer = engine.running;
    engine.running = this;
  }

  protected leave(engine: EngineCore): void {
    for (const one of this.#made) one.end();
    this.#made = NONE;
    engine.goOn(this.#outer);
  }

  readPartial(
    core: Core,
    project: (item: unknown) => unknown,
    _same: (a: unknown, b: unknown) => boolean,
    filters: readonly Filter[],
  ): unknown[] {
    return this.read(core, filters).map(item => partOf(project, item));
  }

  discardResult(): void {
    this.discarded = true;
  }

  bypassed(): void {}

  created(made: Made): void {
    if (this.#made === NONE) this.#made = [];
    this.#made.push(made);
  }
}
