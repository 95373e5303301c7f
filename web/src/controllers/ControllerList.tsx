// A session's controllers and their manager: its lease, its watches and its client's requests.
import type {ControllerAnswer} from '@krtscope/shared/controllers.ts';
import {useState} from 'react';
import {IconButton} from '../ui/controls/Button.tsx';
import {durationText} from './attempt/attempt-timing.ts';
import {ControllerRow} from './ControllerRow.tsx';
import type {ControllerProblem} from './controller-incidents.ts';
import {useTickingNow} from './use-ticking-now.ts';
import './controller-list.css';

export function ControllerList({
  controllers,
  problems,
  shown,
  onChoose,
}: {
  controllers: readonly ControllerAnswer[];
  problems: readonly ControllerProblem[];
  shown: string;
  onChoose(name: string): void;
}) {
  const [filter, setFilter] = useState<string | null>(null);
  const leader = controllers.find(one => one.leader !== undefined)?.leader;
  const needle = (filter ?? '').toLowerCase();
  const listed = controllers.filter(({name}) => name.toLowerCase().includes(needle));
  return (
    <nav className="controller-list" aria-label="Controllers">
      <header className="controller-list-head bar gap-8">
        {filter === null ? (
          <>
            <h2>Controllers</h2>
            <span className="controller-list-note ellipsis">
              {controllers.length}
              {leader ? `, leader ${leader.leading ? leader.identity : 'elsewhere'}` : ''}
            </span>
          </>
        ) : (
          <input
            // biome-ignore lint/a11y/noAutofocus: it was just asked for
            autoFocus
            className="controller-filter"
            aria-label="Find a controller"
            placeholder="Find a controller"
            value={filter}
            onChange={event => setFilter(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Escape') setFilter(null);
              if (event.key === 'Enter' && listed[0]) onChoose(listed[0].name);
            }}
          />
        )}
        <IconButton
          icon={filter === null ? 'search' : 'close'}
          label={filter === null ? 'Find a controller' : 'Show all controllers'}
          onClick={() => setFilter(filter === null ? '' : null)}
        />
      </header>
      <ul className="controller-rows plain-list">
        {listed.map(controller => (
          <ControllerRow
            key={controller.name}
            controller={controller}
            problem={problems.find(({reconcile}) => reconcile.controller === controller.name)}
            shown={controller.name === shown}
            onChoose={onChoose}
          />
        ))}
      </ul>
      <ManagerBox controllers={controllers} />
    </nav>
  );
}

/** The lease's default duration, for programs that do not report one. */
const LEASE = 15_000;

function ManagerBox({controllers}: {controllers: readonly ControllerAnswer[]}) {
  const now = useTickingNow(1000);
  const leader = controllers.find(one => one.leader !== undefined)?.leader;
  const programs = [...new Set(controllers.map(({program}) => program))];
  const kinds = new Set(controllers.flatMap(({watches}) => watches.map(({kind}) => kind)));
  const sum = (of: (one: ControllerAnswer) => number) => controllers.reduce((all, one) => all + of(one), 0);
  const lasts = leader?.duration ?? LEASE;
  // A renewal may arrive after the last tick; the rest never exceeds the lease's duration.
  const left = leader?.renewed === undefined ? undefined : Math.min(lasts, leader.renewed + lasts - now);
  const count = (n: number) => n.toLocaleString('en');
  return (
    <section className="manager" aria-label="Manager">
      <h3>Manager</h3>
      <dl>
        <dt>Program</dt>
        <dd>{programs.join(', ')}</dd>
        <dt>Lease</dt>
        <dd>
          {leader === undefined
            ? 'none (single replica)'
            : `${leader.lease}, ${
                leader.leading
                  ? left === undefined
                    ? 'held'
                    : left > 0
                      ? `${durationText(left)} left`
                      : 'expired'
                  : 'held by another replica'
              }`}
        </dd>
        <dt>Watches</dt>
        <dd>
          {kinds.size} {kinds.size === 1 ? 'kind' : 'kinds'},{' '}
          {count(sum(one => one.watches.reduce((all, {events}) => all + events, 0)))} events,{' '}
          {count(sum(one => one.watches.reduce((all, {rejected}) => all + rejected, 0)))} filtered out
        </dd>
        <dt>Client</dt>
        <dd>
          cache reads {count(sum(one => one.reads.cache))}, API reads {count(sum(one => one.reads.api))}, API
          writes {count(sum(one => one.writes))}
        </dd>
      </dl>
    </section>
  );
}
