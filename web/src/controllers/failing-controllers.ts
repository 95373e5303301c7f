// Controllers and requests that fail now, for the Overview, the rail and the view's first selection.
import type {ControllerAnswer, RequestsAnswer} from '@krtscope/shared/controllers.ts';
import {useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {isFailure} from './attempt-timing.ts';

/** Single failures are normal, such as a conflict that a retry solves. */
const MIN_FAILURES = 3;

/** Failed runs in the last five minutes. */
export function failuresOf({results}: ControllerAnswer): number {
  return results.reduce((sum, {failed}) => sum + failed, 0);
}

export function failingControllers(controllers: readonly ControllerAnswer[]): ControllerAnswer[] {
  return controllers.filter(one => failuresOf(one) >= MIN_FAILURES);
}

export function useFailingControllers(): ControllerAnswer[] {
  const answer = useLastAnswer(useSubscription({ask: 'controllers'}));
  return failingControllers(answer?.controllers ?? []);
}

/** The request to open first: the newest one whose last attempt failed, else the newest one. */
export function requestToOpen(requests: RequestsAnswer['requests']): string | undefined {
  const at = ({since, last}: RequestsAnswer['requests'][number]) => Math.max(since, last?.at ?? 0);
  const byAge = requests.toSorted((a, b) => at(b) - at(a));
  return (byAge.find(({last}) => last !== undefined && isFailure(last.result)) ?? byAge[0])?.key;
}
