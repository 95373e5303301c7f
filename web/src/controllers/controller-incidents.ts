// What is wrong with controllers now: their open incidents, for the rail, the list and the view's first selection.
import type {ControllerAnswer, RequestsAnswer} from '@krtscope/shared/controllers.ts';
import type {Incident, Symptom} from '@krtscope/shared/incidents.ts';
import {useMemo} from 'react';
import {useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {isFailure} from './attempt/attempt-timing.ts';

/** A symptom that holds now, with the controller to open. */
export interface ControllerProblem extends Symptom {
  reconcile: NonNullable<Symptom['reconcile']>;
}

/** Failed runs in the last five minutes. */
export function failuresOf({results}: ControllerAnswer): number {
  return results.reduce((sum, {failed}) => sum + failed, 0);
}

/** The present symptoms of controllers, errors first. */
export function controllerProblems(incidents: readonly Incident[]): ControllerProblem[] {
  return incidents
    .filter(({ended}) => ended === undefined)
    .flatMap(({symptoms}) => symptoms)
    .filter((one): one is ControllerProblem => one.reconcile !== undefined && one.ended === undefined)
    .sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error') || a.began - b.began);
}

export function useControllerProblems(): ControllerProblem[] {
  const answer = useLastAnswer(useSubscription({ask: 'incidents', state: 'all'}));
  return useMemo(() => controllerProblems(answer?.incidents ?? []), [answer]);
}

/** The controller to open first: one with a problem, else one that failed, else one that ran, in list order. */
export function controllerToOpen(
  controllers: readonly ControllerAnswer[],
  problems: readonly ControllerProblem[],
): ControllerAnswer | undefined {
  const has = (of: (one: ControllerAnswer) => number) => controllers.find(one => of(one) > 0);
  const worst = problems[0]?.reconcile.controller;
  return (
    controllers.find(({name}) => name === worst) ??
    has(failuresOf) ??
    has(one => one.done + one.requeued + one.failed) ??
    controllers[0]
  );
}

/** The request to open first: one with a problem, else the newest one that failed, else the newest one. */
export function requestToOpen(
  requests: RequestsAnswer['requests'],
  problems: readonly ControllerProblem[] = [],
): string | undefined {
  const at = ({since, last}: RequestsAnswer['requests'][number]) => Math.max(since, last?.at ?? 0);
  const byAge = requests.toSorted((a, b) => at(b) - at(a));
  return (
    problems.find(({reconcile}) => reconcile.request !== undefined)?.reconcile.request ??
    (byAge.find(({last}) => last !== undefined && isFailure(last.result)) ?? byAge[0])?.key
  );
}
