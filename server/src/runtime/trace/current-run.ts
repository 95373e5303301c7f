// Which run the code that runs now belongs to, so that a client's reads and writes find theirs without being
// handed it. Only kept while a tracer listens.

import {AsyncLocalStorage} from 'node:async_hooks';
import type {TracedRun} from './tracer.ts';

export interface CurrentRun {
  readonly controller: string;
  readonly run: TracedRun;
}

export const currentRun = new AsyncLocalStorage<CurrentRun>();
