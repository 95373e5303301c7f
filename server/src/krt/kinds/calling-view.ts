// A view that calls a function of the user's for each of its rows: what that function does to them is told in one way.

import type {RowState} from '../api/collection.ts';
import {View} from './view.ts';
import {ViewRun} from './view-run.ts';

export abstract class CallingView extends View {
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
