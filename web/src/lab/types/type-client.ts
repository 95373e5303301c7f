// The page's side of the worker that knows TypeScript: started with the first question, ended with the Lab.
import type {TypeRequest, TypeResponseMessage, TypeResponses} from './protocol.ts';

export interface TypeClient {
  /** Null when the worker failed or was ended: the editor goes on without types. */
  ask<A extends TypeRequest>(question: A): Promise<TypeResponses[A['ask']] | null>;
  end(): void;
}

export function openTypeClient(): TypeClient {
  let worker: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, (answer: unknown) => void>();
  const giveUp = () => {
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
    made.onerror = giveUp;
    return made;
  };
  return {
    ask: question =>
      new Promise(done => {
        worker ??= open();
        const id = ++asked;
        waiting.set(id, done as (answer: unknown) => void);
        worker.postMessage({...question, id});
      }),
    end: () => {
      worker?.terminate();
      worker = undefined;
      giveUp();
    },
  };
}
