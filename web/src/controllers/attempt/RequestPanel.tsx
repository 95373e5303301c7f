// One request: its attempts, and the chosen attempt's steps, writes, log and next run.
import type {Attempt, RequestAnswer} from '@krtscope/shared/controllers.ts';
import {useState} from 'react';
import {useKeys} from '../../app/keys/keys.ts';
import {copyText} from '../../store/app.ts';
import {useParam} from '../../store/navigation.ts';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Segmented} from '../../ui/controls/Tabs.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {ErrorState} from '../../ui/layout/Panel.tsx';
import {Age} from '../../ui/text/Age.tsx';
import {plural} from '../../ui/text/plural.ts';
import {useTickingNow} from '../use-ticking-now.ts';
import {AttemptCauses} from './AttemptLinks.tsx';
import {AttemptSteps} from './AttemptSteps.tsx';
import {AttemptWrites} from './AttemptWrites.tsx';
import {type AttemptFilter, attemptFilters, effectText, matchesFilter} from './attempt-effect.ts';
import {durationText, isFailure, ownWorkTime, resultText, stepsOf} from './attempt-timing.ts';
import {useWhyReconcile} from './use-why-reconcile.ts';
import {WhyReconcile} from './WhyReconcile.tsx';
import './request-panel.css';

export function RequestPanel({controller, request}: {controller: string; request: string}) {
  const subscription = useSubscription({ask: 'request', controller, key: request});
  const answer = useLastAnswer(subscription);
  const [chosen, choose] = useParam('a');
  const [filter, setFilter] = useState<AttemptFilter>('All');
  if (answer === undefined)
    return subscription.failure ? <ErrorState failure={subscription.failure} /> : null;
  const all = answer.attempts.toReversed();
  const attempts = all.filter(one => matchesFilter(one, filter));
  const idle = all.filter(one => matchesFilter(one, 'No change')).length;
  const shown = attempts.find(({attempt}) => String(attempt) === chosen) ?? attempts[0];
  return (
    <div className="request">
      <section className="request-attempts" aria-label="Attempts">
        <header className="request-head row gap-8">
          <h3>Request</h3> <code>{request}</code>
        </header>
        <div className="attempt-filter row gap-8">
          <Segmented
            label="Attempts shown"
            options={attemptFilters.map(id => ({id, label: id}))}
            active={filter}
            onPick={setFilter}
          />
        </div>
        <p className="attempt-share">
          {idle} of {all.length} changed nothing
        </p>
        <div className="request-columns">
          <span>#</span>
          <span>Result</span>
          <span>Took</span>
        </div>
        <ul>
          {attempts.map(one => (
            <AttemptRow
              key={one.attempt}
              attempt={one}
              shown={one === shown}
              onChoose={() => choose(String(one.attempt))}
            />
          ))}
        </ul>
      </section>
      {shown === undefined ? (
        <section className="request-attempt column request-none" aria-label="Attempt">
          <p>{answer.now.sentence}</p>
          <WhyReconcile answer={answer} attempt={undefined} why={undefined} />
        </section>
      ) : (
        <AttemptBody answer={answer} attempt={shown} attempts={attempts} onChoose={n => choose(String(n))} />
      )}
    </div>
  );
}

function AttemptRow({attempt, shown, onChoose}: {attempt: Attempt; shown: boolean; onChoose(): void}) {
  const failed = isFailure(attempt.result);
  const effect = effectText(attempt);
  return (
    <li>
      <button
        type="button"
        className="list-button attempt-row row"
        aria-current={shown ? 'true' : undefined}
        onClick={onChoose}
      >
        <span className="attempt-number">{attempt.attempt}</span>
        <span className="attempt-glyph">
          <ResultGlyph attempt={attempt} />
        </span>
        <span className="attempt-words column">
          <span className={failed ? 'is-failed' : ''}>{resultText(attempt)}</span>
          <span className="attempt-age">
            {effect === '' ? null : (
              <span className={effect === 'conflict' ? 'is-failed' : ''}>{effect}, </span>
            )}
            <Age at={attempt.start} ago />
          </span>
        </span>
        <span className="attempt-took">
          {attempt.took === undefined ? 'runs' : durationText(attempt.took)}
        </span>
      </button>
    </li>
  );
}

function ResultGlyph({attempt: {result}}: {attempt: Attempt}) {
  if (isFailure(result)) return <StateGlyph tone="error" />;
  return <Icon name={result === 'done' ? 'check' : result === undefined ? 'play' : 'clock'} size={12} />;
}

function AttemptBody({
  answer,
  attempt,
  attempts,
  onChoose,
}: {
  answer: RequestAnswer;
  attempt: Attempt;
  attempts: readonly Attempt[];
  onChoose(attempt: number): void;
}) {
  const [why, setWhy] = useParam('why');
  const now = useTickingNow(attempt.result === undefined ? 200 : 1000);
  const steps = stepsOf(attempt, now);
  const explained = useWhyReconcile(answer, attempt);
  const step = (by: number) => () => {
    const next = attempts[attempts.indexOf(attempt) + by];
    if (next !== undefined) onChoose(next.attempt);
  };
  const toggle = () => setWhy(why === null ? '1' : null);
  useKeys({
    w: {says: 'why it ran', group: 'Here', run: toggle},
    h: {says: 'previous attempt', group: 'Here', run: step(1)},
    l: {says: 'next attempt', group: 'Here', run: step(-1)},
    ArrowLeft: {says: 'previous attempt', group: 'Here', run: step(1)},
    ArrowRight: {says: 'next attempt', group: 'Here', run: step(-1)},
    Enter: {says: 'why it ran', group: 'Here', run: toggle},
    Escape: {run: () => (why === null ? false : setWhy(null))},
  });
  const outside = ownWorkTime(steps);
  const took = attempt.took ?? now - attempt.start;
  const tone = isFailure(attempt.result) ? 'is-failed' : attempt.after === undefined ? '' : 'is-again';
  return (
    <section className="request-attempt column" aria-label={`Attempt ${attempt.attempt}`}>
      <header className="request-head row gap-8">
        <h3>Attempt {attempt.attempt}</h3>
        <span className={`attempt-result ${tone}`}>{resultText(attempt)}</span>
        <span className="attempt-sentence ellipsis">{attempt.error?.split('\n', 1)[0] ?? ''}</span>
        <Button size="small" keys="w" pressed={why !== null} onClick={toggle}>
          Why
        </Button>
        <Button
          size="small"
          icon="copy"
          onClick={() => void copyText(JSON.stringify(attempt, null, 2), 'Attempt copied')}
        >
          Trace
        </Button>
      </header>
      {why === null ? null : <WhyReconcile answer={answer} attempt={attempt} why={explained} />}
      <AttemptCauses causes={explained?.causes ?? attempt.causes} />
      {attempt.error?.includes('\n') ? (
        <section aria-label="Error">
          <pre className="attempt-stack">{attempt.error}</pre>
        </section>
      ) : null}
      <AttemptSteps steps={steps} took={took} />
      <AttemptWrites attempt={attempt} caused={explained?.effects.map(one => one.caused) ?? []} />
      <footer className="request-foot row">
        <NextAttempt answer={answer} now={now} />
        <span className="request-outside">
          {outside > 1
            ? `${durationText(outside)} of ${durationText(took)} outside reads and writes`
            : `${plural(attempt.reads.length, 'read')}, ${plural(attempt.writes.length, 'write')}`}
        </span>
      </footer>
    </section>
  );
}

function NextAttempt({answer: {now: standing, due, state}, now}: {answer: RequestAnswer; now: number}) {
  const when = state === 'delayed' && due !== undefined ? durationText(due - now) : state;
  return (
    <>
      <span className="request-next">Next</span>
      <b className="request-when">{when}</b>
      <span className="request-standing" data-verdict={standing.verdict}>
        {standing.sentence}
      </span>
    </>
  );
}
