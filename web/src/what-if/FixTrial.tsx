// Tries a fix in a copy of the graph when it is shown, and says whether it works. Nothing reaches the cluster.
import type {FixOutcome, Origin} from '@krtscope/shared/origin.ts';
import {useMoment} from '../store/navigation.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import './fix-trial.css';

export type FixTrialState = FixOutcome | 'running' | undefined;

/** `path` is the API path of the origin that offers the fix; null if there is nothing to try. */
export function useFixTrial(path: string | null, fix: string | undefined): FixTrialState {
  const {moment} = useMoment();
  // Each past moment would need a copy of its own, and a reader moves through many.
  const asked =
    path === null || fix === undefined || moment !== null
      ? null
      : `${path}${path.includes('?') ? '&' : '?'}try=1`;
  const {answer, loading} = useAnswer<Origin>(asked, fix);
  if (asked === null) return undefined;
  if (loading) return 'running';
  return answer?.fix === fix ? answer?.tried : undefined;
}

const words: Record<FixOutcome, (subject: string) => string> = {
  ends: subject => `Tried in a copy: it ends ${subject}.`,
  'does-not-end': subject => `Tried in a copy: it does not end ${subject}.`,
  'cannot-try': () => 'Could not be tried: krtscope cannot try this edit, or a controller has to act first.',
};

/** `subject` is what the fix would end: "this incident". */
export function FixTrial({state, subject}: {state: FixTrialState; subject: string}) {
  if (state === undefined) return null;
  const isEnding = state === 'ends';
  return (
    <p className={`fix-trial row gap-6 fix-trial-${state}`} role="status">
      {isEnding ? <Icon name="check" size={13} /> : null}
      <span>{state === 'running' ? 'Trying it in a copy of the graph…' : words[state](subject)}</span>
    </p>
  );
}
