// The client of the layout worker, with a cache by structure. It gives up after 15 s.
import {extendLayout} from './extend-layout.ts';
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
  /** A newer request cancels an older one. Returns a function that cancels. */
  arrange: (request: LayoutRequest, onProgress: (news: LayoutProgress) => void) => () => void;
  end: () => void;
}

export function createLayoutClient(open: () => LayoutWorkerPort): LayoutClient {
  const cache = new Map<string, LayoutPlacement>();
  let port: LayoutWorkerPort | undefined;
  let lastId = 0;
  let cancel = () => {};
  /** The layout on screen. Small changes of the graph extend it instead of moving every node. */
  let last: {request: LayoutRequest; placement: LayoutPlacement} | undefined;

  const store = (key: string, placement: LayoutPlacement) => {
    cache.delete(key);
    cache.set(key, placement);
    const oldest = cache.keys().next();
    if (cache.size > MAX_CACHED && !oldest.done) cache.delete(oldest.value);
  };

  const arrange: LayoutClient['arrange'] = (request, onProgress) => {
    cancel();
    const key = structureKey(request);
    const known = cache.get(key) ?? (last === undefined ? undefined : extendLayout(last, request));
    if (known) {
      store(key, known);
      last = {request, placement: known};
      onProgress({kind: 'placed', placement: known});
      cancel = () => {};
      return cancel;
    }
    const id = ++lastId;
    let isOpen = true;
    const slow = setTimeout(() => onProgress({kind: 'slow'}), SLOW_AFTER);
    const over = setTimeout(() => {
      stop(true);
      onProgress({kind: 'given-up', reason: `arranging ${request.boxes.length} nodes took over 15 s`});
    }, GIVE_UP_AFTER);
    const stop = (kill: boolean) => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(slow);
      clearTimeout(over);
      // A busy worker reads no messages, so terminate it to free the CPU core.
      if (kill) {
        port?.end();
        port = undefined;
      }
    };
    port ??= open();
    port.onAnswer(answer => {
      if (answer.id !== id || !isOpen) return;
      stop(false);
      if ('error' in answer) onProgress({kind: 'given-up', reason: answer.error});
      else {
        store(key, answer.placement);
        last = {request, placement: answer.placement};
        onProgress({kind: 'placed', placement: answer.placement});
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

/** The bundler needs this literal form to find the worker. */
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
