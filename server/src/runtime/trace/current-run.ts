// The run of the current code, so that a client can assign its reads and writes to a run. Set only while a tracer
// listens.

import {AsyncLocalStorage} from 'node:async_hooks';
import type {TracedRun} from './tracer.ts';

export interface CurrentRun {
  readonly controller: string;
  readonly run: TracedRun;
}

export const currentRun = new AsyncLocalStorage<CurrentRun>();
