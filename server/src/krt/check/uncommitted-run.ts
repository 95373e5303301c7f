// The base of runs without effects: no row changes, no dependency is recorded, and created resources end with
// the run. Subclasses answer the reads.

import type {CollectionCore} from '../graph/collection-core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Filter} from '../query/filter.ts';
import {projectPart} from '../query/query-node.ts';
import type {ReadContext} from '../query/read-context.ts';
import type {RunningCode, RunResource} from '../values/running-code.ts';

const NONE: RunResource[] = [];

export abstract class UncommittedRun implements ReadContext, RunningCode {
  protected discarded = false;
  #made = NONE;
  #outer: RunningCode | null = null;

  abstract read(core: CollectionCore, filters: readonly Filter[]): readonly unknown[];

  abstract toString(): string;

  /** Makes this the running code until leave(). */
  protected enter(engine: EngineCore): void {
    this.discarded = false;
    this.#outer = engine.running;
    engine.running = this;
  }

  protected leave(engine: EngineCore): void {
    for (const one of this.#made) one.end();
    this.#made = NONE;
    engine.resumeOuterCode(this.#outer);
  }

  readPartial(
    core: CollectionCore,
    project: (item: unknown) => unknown,
    _same: (a: unknown, b: unknown) => boolean,
    filters: readonly Filter[],
  ): unknown[] {
    return this.read(core, filters).map(item => projectPart(project, item));
  }

  discardResult(): void {
    this.discarded = true;
  }

  bypassed(): void {}

  created(made: RunResource): void {
    if (this.#made === NONE) this.#made = [];
    this.#made.push(made);
  }
}
