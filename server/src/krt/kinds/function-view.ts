// The base of views that call a user function for each row.

import {ViewCore} from '../graph/view-core.ts';
import type {RowState} from '../values/collection.ts';
import {ViewRun} from './view-run.ts';

export abstract class FunctionView extends ViewCore {
  protected readonly run = new ViewRun(this);

  /** How many rows failed in their last run. */
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
