// Helpers for tests that start real engine processes: short timeouts, small limits, waiting for conditions.
import {setTimeout as sleep} from 'node:timers/promises';
import type {QuestionInput} from '@krtscope/shared/questions.ts';
import {questionSchema} from '@krtscope/shared/questions.ts';
import type {EngineHandle, SourceChange} from './link/engine-link.ts';
import type {EngineProcessSettings} from './supervisor/engine-options.ts';
import {startEngine} from './supervisor/start-engine.ts';

export type TestEngine = EngineHandle & {readonly pid: number; readonly sparePid: number | undefined};

export function engineFor(options: Partial<EngineProcessSettings> = {}): TestEngine {
  return startEngine({
    name: 'test',
    memoryMb: 512,
    historyRuns: 50_000,
    historyMb: 64,
    redacted: true,
    sources: [],
    ...options,
  }) as TestEngine;
}

export function ask<T>(engine: EngineHandle, question: QuestionInput): Promise<T> {
  return engine.ask(questionSchema.parse(question)) as Promise<T>;
}

export function put(
  collection: string,
  object: object,
  event: SourceChange['event'] = 'update',
): SourceChange {
  const {name, namespace} = (object as {metadata: {name: string; namespace?: string}}).metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  return {collection, key, event, ...(event === 'delete' ? {} : {new: object}), received: Date.now()};
}

/** Resolves once the condition holds. Rejects after `limit` milliseconds. */
export async function until<T>(find: () => Promise<T | undefined>, limit = 20_000): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error('it did not come about in time');
    await sleep(25);
  }
}

/** Resolves with the milliseconds from the death of the process until the next one is ready. */
export function waitForRestart(engine: EngineHandle): Promise<number> {
  return new Promise(resolve => {
    let died = 0;
    const stop = engine.onState(state => {
      if (state === 'restarting') died = performance.now();
      if (state !== 'ready' || died === 0) return;
      stop();
      resolve(performance.now() - died);
    });
  });
}
