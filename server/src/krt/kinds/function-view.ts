// A view that calls a function of the user's for each of its rows: what that function does to them is told in one way.

import {ViewCore} from '../graph/view-core.ts';
import type {RowState} from '../values/collection.ts';
import {ViewRun} from './view-run.ts';

export abstract class FunctionView extends ViewCore {
  protected readonly run = new ViewRun(this);

  /** How many rows could not be made the last time. */
  get failed(): number {
    return this.run.failed;
  }

  override end(): void {
    super.end();
    this.run.end();
  }

  override rowState(key: string): RowState | undefined {
    return this.run.failure(key) ?? super.rowState(key);
  }
}
