// Asks the worker for places: a cache by structure, "still arranging" after 2 s, given up after 15 s. Never on the page's thread.
import {type LayoutRequest, type Placement, structureKey} from './layout.ts';
import type {LayoutAnswer, LayoutAsk} from './layout-worker.ts';

export const SLOW_AFTER = 2_000;
export const GIVE_UP_AFTER = 15_000;
const CACHED = 24;

export interface LayoutPort {
  post: (ask: LayoutAsk) => void;
  onAnswer: (listen: (answer: LayoutAnswer) => void) => void;
  end: () => void;
}

export type ArrangeNews =
  | {kind: 'placed'; placement: Placement}
  | {kind: 'slow'}
  | {kind: 'given-up'; reason: string};

export interface Arranger {
  /** Tells the news of one request; a newer request cancels an older one. Returns its own cancel. */
  arrange: (request: LayoutRequest, tell: (news: ArrangeNews) => void) => () => void;
  end: () => void;
}

export function makeArranger(open: () => LayoutPort): Arranger {
  const cache = new Map<string, Placement>();
  let port: LayoutPort | undefined;
  let asked = 0;
  let cancel = () => {};

  const keep = (key: string, placement: Placement) => {
    cache.delete(key);
    cache.set(key, placement);
    const oldest = cache.keys().next();
    if (cache.size > CACHED && !oldest.done) cache.delete(oldest.value);
  };

  const arrange: Arranger['arrange'] = (request, tell) => {
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
export function openLayoutWorker(): LayoutPort {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), {type: 'module'});
  return {
    post: ask => worker.postMessage(ask),
    onAnswer: listen => {
      worker.onmessage = (message: MessageEvent<LayoutAnswer>) => listen(message.data);
    },
    end: () => worker.terminate(),
  };
}
