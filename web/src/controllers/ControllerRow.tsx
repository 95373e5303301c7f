// One controller in the list: name, kinds, queue counts and the results of the last five minutes.
import type {ControllerAnswer} from '@krtscope/shared/controllers.ts';
import {type ControllerProblem, failuresOf} from './controller-incidents.ts';
import {ResultBars} from './ResultBars.tsx';

/** By code of the check. */
const problemWords: Record<string, string> = {
  'controller-failing': 'fails',
  'controller-hang': 'hangs',
  'controller-loop': 'loops',
  'controller-conflict': 'conflicts',
};

function purpose({for: kind, owns, watches}: ControllerAnswer): string {
  const watched = watches.map(one => one.kind).filter(one => one !== kind && !owns.includes(one));
  return [
    ...(kind === undefined ? [] : [`For ${kind}`]),
    ...(owns.length === 0 ? [] : [`Owns ${owns.join(', ')}`]),
    ...(watched.length === 0 ? [] : [`Watches ${[...new Set(watched)].join(', ')}`]),
  ].join(', ');
}

export function ControllerRow({
  controller,
  problem,
  shown,
  onChoose,
}: {
  controller: ControllerAnswer;
  problem: ControllerProblem | undefined;
  shown: boolean;
  onChoose(name: string): void;
}) {
  const {name, ready, inFlight, delayed, results, state} = controller;
  const failures = failuresOf(controller);
  return (
    <li>
      <button
        type="button"
        className="list-button controller-row"
        title={`${controller.name}: ${purpose(controller)}`}
        aria-current={shown ? 'true' : undefined}
        onClick={() => onChoose(name)}
      >
        <span className="controller-row-name">
          <b>{name}</b>
          {problem !== undefined ? (
            <span className={`controller-failures ${problem.severity === 'error' ? '' : 'is-warning'}`}>
              ◆ {problemWords[problem.code] ?? 'problem'}
            </span>
          ) : failures > 0 ? (
            <span className="controller-failures">◆ {failures} failed</span>
          ) : state === 'running' ? null : (
            <span className="controller-state">{state}</span>
          )}
        </span>
        <ResultBars results={results} width={88} height={18} />
        <span className="controller-row-for ellipsis">{purpose(controller)}</span>
        <span className="controller-row-counts">
          <QueueCount count={ready} word="ready" />
          <QueueCount count={inFlight} word="running" />
          <QueueCount count={delayed} word="delayed" className="is-delayed" />
        </span>
      </button>
    </li>
  );
}

/** Shows only what is in the queue: three zeros would take the room of the name. */
function QueueCount({count, word, className}: {count: number; word: string; className?: string}) {
  if (count === 0) return null;
  return (
    <span className={className}>
      <b>{count}</b> {word}
    </span>
  );
}
