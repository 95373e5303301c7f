// Asks the worker for places: a cache by structure, "still arranging" after 2 s, given up after 15 s. Never on the page's thread.
import {type LayoutPlacement, type LayoutRequest, structureKey} from './layout.ts';
import type {LayoutWorkerRequest, LayoutWorkerResponse} from './layout-worker.ts';

export const SLOW_AFTER = 2_000;
export const GIVE_UP_AFTER = 15_000;
const MAX_CACHED = 24;

export interface LayoutWorkerPort {
  post: (ask: LayoutWorkerRequest) => void;
  onAnswer: (listen: (answer: LayoutWorkerResponse) => void) => void;
  end: () => void;
}

export type LayoutProgress =
  | {kind: 'placed'; placement: LayoutPlacement}
  | {kind: 'slow'}
  | {kind: 'given-up'; reason: string};

export interface LayoutClient {
  /** Tells the news of one request; a newer request cancels an older one. Returns its own cancel. */
  arrange: (request: LayoutRequest, tell: (news: LayoutProgress) => void) => () => void;
  end: () => void;
}

export function createLayoutClient(open: () => LayoutWorkerPort): LayoutClient {
  const cache = new Map<string, LayoutPlacement>();
  let port: LayoutWorkerPort | undefined;
  let asked = 0;
  let cancel = () => {};

  const keep = (key: string, placement: LayoutPlacement) => {
    cache.delete(key);
    cache.set(key, placement);
    const oldest = cache.keys().next();
    if (cache.size > MAX_CACHED && !oldest.done) cache.delete(oldest.value);
  };

  const arrange: LayoutClient['arrange'] = (request, tell) => {
    cancel();
    const key = structureKey(request);
    const known = cache.get(key);
    if (known) {
      keep(key, known);
      tell({kind: 'placed', placement: known});
      cancel = () => {};
      return cancel;
    }
    const id = ++asked;
    let open_ = true;
    const slow = setTimeout(() => tell({kind: 'slow'}), SLOW_AFTER);
    const over = setTimeout(() => {
      stop(true);
      tell({kind: 'given-up', reason: `arranging ${request.boxes.length} nodes took over 15 s`});
    }, GIVE_UP_AFTER);
    const stop = (kill: boolean) => {
      if (!open_) return;
      open_ = false;
      clearTimeout(slow);
      clearTimeout(over);
      // A worker that is still arranging cannot hear us: ending it is the only way to get the core back.
      if (kill) {
        port?.end();
        port = undefined;
      }
    };
    port ??= open();
    port.onAnswer(answer => {
      if (answer.id !== id || !open_) return;
      stop(false);
      if ('error' in answer) tell({kind: 'given-up', reason: answer.error});
      else {
        keep(key, answer.placement);
        tell({kind: 'placed', placement: answer.placement});
      }
    });
    port.post({id, request});
    cancel = () => stop(true);
    return cancel;
  };

  return {
    arrange,
    end: () => {
      cancel();
      port?.end();
      port = undefined;
    },
  };
}

/** The real worker; the bundler finds it by this literal form. */
export function openLayoutWorker(): LayoutWorkerPort {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), {type: 'module'});
  return {
    post: ask => worker.postMessage(ask),
    onAnswer: listen => {
      worker.onmessage = (message: MessageEvent<LayoutWorkerResponse>) => listen(message.data);
    },
    end: () => worker.terminate(),
  };
}
