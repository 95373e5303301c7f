// Titles, messages and hints of the checks of controllers: failing, looping, conflicting, hanging.
import type {CheckWords} from './cluster-check-sentence.ts';
import {countWords, listWords} from './value-words.ts';

/** An incident keeps its first sentence, so no sentence has a number that grows. */
export interface CheckedController {
  readonly controller: string;
  /** The requests that show it, the worst first. */
  readonly requests: readonly string[];
  readonly error?: string | undefined;
  /** The last step of a run that hangs. */
  readonly step?: string;
}

function requestWords(requests: readonly string[]): string {
  return requests.length > 1 ? countWords(requests.length, 'request') : (requests[0] ?? '');
}

export function controllerFailsWords({controller, requests, error}: CheckedController): CheckWords {
  const last = error === undefined ? '' : `: ${error.split('\n', 1)[0]}`;
  return {
    title: `Controller ${controller} fails for ${requestWords(requests)}`,
    message: `Three or more attempts in a row failed for ${requests[0]}${last}${others(requests)}`,
  };
}

export function controllerLoopsWords({controller, requests}: CheckedController): CheckWords {
  return {
    title: `Controller ${controller} loops on ${requestWords(requests)}`,
    message: `${requests[0]} was reconciled more than 60 times in a minute, and neither a requeue nor a write of another client asked for it${others(requests)}`,
    hint: 'Compare before writing, and ignore events of own status updates (generationChanged)',
  };
}

export function controllerConflictsWords({controller}: CheckedController): CheckWords {
  return {
    title: `Controller ${controller} writes with conflicts`,
    message: 'Half or more of its writes in a minute failed because another client had changed the object',
    hint: 'Read the object again before each write, or use server-side apply for the fields it owns',
  };
}

export function controllerHangsWords({controller, requests, step}: CheckedController): CheckWords {
  return {
    title: `Controller ${controller} hangs on ${requestWords(requests)}`,
    message: `The reconcile of ${requests[0]} has been running for over a minute. Last step: ${step ?? 'started'}${others(requests)}`,
    hint: 'Set reconciliationTimeout, and pass the signal of the reconcile to every request',
  };
}

function others(requests: readonly string[]): string {
  const more = requests.slice(1);
  return more.length === 0 ? '' : `. Also ${listWords(more, 2)}`;
}
