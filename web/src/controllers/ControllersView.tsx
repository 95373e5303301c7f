// Controllers: what each one watches, queues and runs, and the attempts of every request.
import type {ControllerAnswer} from '@krtscope/shared/controllers.ts';
import {useEffect, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {setParams, useApp} from '../store/app.ts';
import {goLive, pause, useMoment, useParam} from '../store/navigation.ts';
import {useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {ErrorState} from '../ui/layout/Panel.tsx';
import {RequestPanel} from './attempt/RequestPanel.tsx';
import {ControllerList} from './ControllerList.tsx';
import {ControllerProblems} from './ControllerProblems.tsx';
import {
  type ControllerProblem,
  controllerToOpen,
  failuresOf,
  requestToOpen,
  useControllerProblems,
} from './controller-incidents.ts';
import {NoControllers} from './NoControllers.tsx';
import {QueueCards} from './QueueCards.tsx';
import './controllers-view.css';

export default function ControllersView() {
  const subscription = useSubscription({ask: 'controllers'});
  const answer = useLastAnswer(subscription);
  const [chosen] = useParam('c');
  const choose = (name: string) => setParams({c: name, k: null, a: null});
  const linked = useApp(state => state.route.collection);
  const problems = useControllerProblems();
  if (subscription.failure && answer === undefined) return <ErrorState failure={subscription.failure} />;
  if (answer === undefined) return null;
  const {controllers} = answer;
  if (controllers.length === 0) return <NoControllers />;
  const shown =
    controllers.find(({name}) => name === (chosen ?? linked)) ??
    (controllerToOpen(controllers, problems) as ControllerAnswer);
  return (
    <div className="controllers">
      <ControllerList controllers={controllers} problems={problems} shown={shown.name} onChoose={choose} />
      <ControllerBody
        key={shown.name}
        controller={shown}
        all={controllers}
        problems={problems.filter(({reconcile}) => reconcile.controller === shown.name)}
        onChoose={choose}
      />
    </div>
  );
}

function ControllerBody({
  controller,
  all,
  problems,
  onChoose,
}: {
  controller: ControllerAnswer;
  all: readonly ControllerAnswer[];
  problems: readonly ControllerProblem[];
  onChoose(name: string): void;
}) {
  const requests = useLastAnswer(useSubscription({ask: 'requests', controller: controller.name, limit: 200}));
  const [key] = useParam('k');
  const place = useApp(state => state.route);
  const linked = place.collection === controller.name ? place.key : null;
  // Keep the first request shown: later runs must not replace it while the user reads.
  const [first, setFirst] = useState<string | undefined>(undefined);
  const suggested = requestToOpen(requests?.requests ?? [], problems);
  useEffect(() => setFirst(old => old ?? suggested), [suggested]);
  const request = key ?? linked ?? first ?? suggested ?? null;
  const open = (request: string) => setParams({k: request, a: null});
  const step = (by: number) => () => {
    const at = all.findIndex(({name}) => name === controller.name);
    const next = all[at + by];
    if (next !== undefined) onChoose(next.name);
  };
  useKeys({
    j: {says: 'next controller', group: 'Here', run: step(1)},
    k: {says: 'previous controller', group: 'Here', run: step(-1)},
    ArrowDown: {says: 'next controller', group: 'Here', run: step(1)},
    ArrowUp: {says: 'previous controller', group: 'Here', run: step(-1)},
  });
  return (
    <div className="controller-body column gap-12">
      <ControllerHead controller={controller} />
      <ControllerProblems problems={problems} />
      <QueueCards controller={controller} requests={requests} shown={request} onChoose={open} />
      {request === null ? (
        <p className="controller-quiet">
          No requests yet. Change an object that this controller watches to see one.
        </p>
      ) : (
        <RequestPanel key={request} controller={controller.name} request={request} />
      )}
    </div>
  );
}

function ControllerHead({controller}: {controller: ControllerAnswer}) {
  const {live} = useMoment();
  const failures = failuresOf(controller);
  const {inFlight, workers, state} = controller;
  const others = controller.watches.map(({kind}) => kind);
  const watched = [...new Set(others)].filter(
    kind => kind !== controller.for && !controller.owns.includes(kind),
  );
  return (
    <header className="controller-head bar">
      <h2 className="controller-name">{controller.name}</h2>
      {failures > 0 ? <span className="controller-failures">◆ {failures} failed, 5 min</span> : null}
      {state === 'running' ? null : <span className="controller-state">{stateWords(controller)}</span>}
      <Kinds word="For" kinds={controller.for === undefined ? [] : [controller.for]} />
      <Kinds word="Owns" kinds={controller.owns} />
      <Kinds word="Watches" kinds={watched} />
      <span className="controller-workers">
        {inFlight} of {workers} {workers === 1 ? 'worker' : 'workers'}
      </span>
      <Button icon={live ? 'pause' : 'live'} onClick={live ? pause : goLive}>
        {live ? 'Pause view' : 'Back to live'}
      </Button>
    </header>
  );
}

function stateWords({state, leader, program}: ControllerAnswer): string {
  if (state === 'away') return `${program} is not connected`;
  if (state === 'waiting')
    return leader && !leader.leading
      ? `not leader, ${leader.identity} waits for the lease`
      : 'waiting for its caches';
  return state;
}

function Kinds({word, kinds}: {word: string; kinds: readonly string[]}) {
  if (kinds.length === 0) return null;
  return (
    <span className="controller-kinds">
      {word}
      {kinds.map(kind => (
        <span key={kind} className="controller-kind">
          {kind}
        </span>
      ))}
    </span>
  );
}
