// The answer to "why did this attempt run", with links to attempts of other requests.
import type {Attempt, RequestAnswer, WhyReconcile} from '@krtscope/shared/controllers.ts';
import {useAnswer} from '../../stream/use-subscription.ts';

export function useWhyReconcile(
  {controller, key}: RequestAnswer,
  attempt: Attempt,
): WhyReconcile | undefined {
  const path = `/why-reconcile/${encodeURIComponent(controller)}/${encodeURIComponent(key)}`;
  const {answer} = useAnswer<WhyReconcile>(`${path}?attempt=${attempt.attempt}`, attempt.result);
  return answer?.attempt?.run === attempt.run ? answer : undefined;
}
