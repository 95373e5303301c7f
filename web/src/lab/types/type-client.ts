// The client of the TypeScript worker. The first request starts the worker.
import type {TypeRequest, TypeResponseMessage, TypeResponses} from './protocol.ts';

export interface TypeClient {
  /** Null when the worker failed or has stopped: the editor then works without types. */
  ask<A extends TypeRequest>(question: A): Promise<TypeResponses[A['ask']] | null>;
  end(): void;
}

export function openTypeClient(): TypeClient {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, (answer: unknown) => void>();
  const answerAllWithNull = () => {
    for (const done of waiting.values()) done(null);
    waiting.clear();
  };
  const open = () => {
    const made = new Worker(new URL('./worker.ts', import.meta.url), {type: 'module'});
    made.onmessage = (message: MessageEvent<TypeResponseMessage>) => {
      const done = waiting.get(message.data.id);
      waiting.delete(message.data.id);
      done?.('answer' in message.data ? message.data.answer : null);
    };
    made.onerror = answerAllWithNull;
    return made;
  };
  return {
    ask: question =>
      new Promise(done => {
        worker ??= open();
        const id = ++lastId;
        waiting.set(id, done as (answer: unknown) => void);
        worker.postMessage({...question, id});
      }),
    end: () => {
      worker?.terminate();
      worker = undefined;
      answerAllWithNull();
    },
  };
}
