// Repeats an answer from disk for a subscription, a few times a minute.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {EngineFailure} from '../engine/link/engine-link.ts';

const EVERY_MS = 2000;

/** Returns the function that ends it. */
export function repeatAnswer(
  answer: () => Promise<void>,
  onFailure: (failure: ApiFailure) => void,
): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const next = async () => {
    try {
      await answer();
    } catch (error) {
      if (!isOver) onFailure(toFailure(error as Error));
    }
    if (!isOver) timer = setTimeout(() => void next(), EVERY_MS).unref();
  };
  void next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

export function toFailure(error: Error): ApiFailure {
  if (error instanceof EngineFailure) return error.toFailure();
  return {code: 'internal', message: error.message, hint: 'try again'};
}
