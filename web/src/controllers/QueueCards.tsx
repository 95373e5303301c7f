// The queue: delayed requests with countdown, ready ones, running ones by worker, and recent results.
import type {ControllerAnswer, RequestRow, RequestsAnswer} from '@krtscope/shared/controllers.ts';
import type {ReactNode} from 'react';
import {Icon} from '../ui/indicators/Icon.tsx';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {ageText} from '../ui/text/Age.tsx';
import {plural} from '../ui/text/plural.ts';
import {durationText, isFailure} from './attempt/attempt-timing.ts';
import {ResultBars} from './ResultBars.tsx';
import {useTickingNow} from './use-ticking-now.ts';
import './queue-cards.css';

interface QueueCardsProps {
  controller: ControllerAnswer;
  requests: RequestsAnswer | undefined;
  shown: string | null;
  onChoose(key: string): void;
}

const ROWS = 5;

export function QueueCards({controller, requests, shown, onChoose}: QueueCardsProps) {
  const now = useTickingNow(100);
  const rows = requests?.requests ?? [];
  // A request that was delayed when the server answered may be due by now.
  const isReady = (row: RequestRow) =>
    row.state === 'ready' || (row.state === 'delayed' && (row.due ?? 0) <= now);
  const ready = rows.filter(isReady);
  const delayed = rows.filter(row => row.state === 'delayed' && !isReady(row));
  const running = rows.filter(({state}) => state === 'in-flight');
  const ended = rows
    .filter(({last}) => last !== undefined)
    .toSorted((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0));
  const line = (row: RequestRow, children: ReactNode, className = '') => (
    <li key={row.key}>
      <button
        type="button"
        className={`queue-row row gap-8 ${className}`}
        aria-current={row.key === shown ? 'true' : undefined}
        onClick={() => onChoose(row.key)}
      >
        {children}
      </button>
    </li>
  );
  return (
    <div className="queue-cards">
      <QueueCard
        title="Delayed"
        icon
        count={delayed.length}
        note="soonest first"
        empty="No delayed requests."
      >
        {delayed.slice(0, ROWS).map(row => {
          const left = (row.due ?? now) - now;
          const retry = row.last !== undefined && isFailure(row.last.result) ? row.last.retry + 1 : undefined;
          return line(
            row,
            <>
              <CountdownRing
                left={left}
                all={row.last?.after ?? Math.max(1, (row.due ?? now) - row.since)}
                failed={retry !== undefined}
              />
              <span className="queue-key ellipsis" title={row.key}>
                {row.key}
              </span>
              <span className={retry === undefined ? 'queue-note' : 'queue-note is-failed'}>
                {retry === undefined ? 'after' : `retry ${retry}`}
              </span>
              <span className="queue-time">{durationText(left)}</span>
            </>,
          );
        })}
        <More of={delayed.length} />
      </QueueCard>
      <QueueCard
        title="Ready"
        count={ready.length}
        empty="Queue empty."
        foot={`${plural(controller.asked, 'event')}, ${controller.folded.toLocaleString('en')} coalesced`}
      >
        {ready.slice(0, ROWS - 1).map(row =>
          line(
            row,
            <>
              <span className="queue-key ellipsis" title={row.key}>
                {row.key}
              </span>
              {row.folded > 0 ? <span className="queue-folded">×{row.folded + 1}</span> : null}
              <span className="queue-note">{durationText(now - (row.due ?? row.since))}</span>
            </>,
          ),
        )}
        <More of={ready.length} shown={ROWS - 1} />
      </QueueCard>
      <QueueCard title="In flight" count={`${running.length} of ${controller.workers}`} empty="">
        {running.slice(0, ROWS - 1).map((row, at) =>
          line(
            row,
            <>
              <span className="queue-worker">w{at + 1}</span>
              <span className="queue-run column">
                <span className="queue-key ellipsis" title={row.key}>
                  {row.key}
                </span>
                <span className="queue-step ellipsis">{row.running?.step ?? 'running'}</span>
              </span>
              <span className="queue-time is-running">
                {durationText(now - (row.running?.start ?? row.since))}
              </span>
            </>,
            'queue-row-tall',
          ),
        )}
        {workerNames(Math.min(ROWS - 1, controller.workers))
          .slice(running.length)
          .map(name => (
            <li key={name} className="queue-row row gap-8 queue-row-tall">
              <span className="queue-worker">{name}</span>
              <span className="queue-note">idle</span>
            </li>
          ))}
        <More of={running.length} shown={ROWS - 1} />
      </QueueCard>
      <QueueCard
        title="Results"
        note={`${controller.done.toLocaleString('en')} done, ${controller.requeued.toLocaleString('en')} requeued, ${controller.failed.toLocaleString('en')} failed`}
        empty="No results yet."
        top={<ResultBars results={controller.results} width={240} height={30} />}
      >
        {ended.slice(0, ROWS - 1).map(row => {
          const {result, at, after, error} = row.last as NonNullable<RequestRow['last']>;
          const failed = isFailure(result);
          return line(
            row,
            <>
              {failed ? (
                <StateGlyph tone="error" />
              ) : result === 'done' ? (
                <Icon name="check" size={12} />
              ) : (
                <Icon name="clock" size={12} />
              )}
              <span className="queue-key ellipsis" title={row.key}>
                {row.key}
              </span>
              <span className={failed ? 'queue-note is-failed' : 'queue-note'} title={error}>
                {result === 'requeue-after' && after !== undefined ? `after ${durationText(after)}` : result}
              </span>
              <span className="queue-note">{ageText(now - at)}</span>
            </>,
          );
        })}
      </QueueCard>
    </div>
  );
}

function QueueCard({
  title,
  icon = false,
  count,
  note,
  foot,
  top,
  empty,
  children,
}: {
  title: string;
  icon?: boolean;
  count?: ReactNode;
  note?: ReactNode;
  foot?: string;
  top?: ReactNode;
  empty: string;
  children: ReactNode;
}) {
  return (
    <section className="queue-card column" aria-label={title}>
      <header className="queue-head bar">
        {icon ? <Icon name="clock" size={14} /> : null}
        <h3>{title}</h3>
        {count === undefined ? null : <span className="queue-count">{count}</span>}
        {note === undefined ? null : <span className="queue-about ellipsis">{note}</span>}
      </header>
      {top === undefined ? null : <div className="queue-top">{top}</div>}
      <ul className="queue-rows plain-list" data-empty={empty}>
        {children}
      </ul>
      {foot === undefined ? null : <footer className="queue-foot">{foot}</footer>}
    </section>
  );
}

function workerNames(count: number): string[] {
  return Array.from({length: count}, (_, at) => `w${at + 1}`);
}

function More({of, shown = ROWS}: {of: number; shown?: number}) {
  return of > shown ? <li className="queue-more">and {(of - shown).toLocaleString('en')} more</li> : null;
}

/** The elapsed part of a wait. */
function CountdownRing({left, all, failed}: {left: number; all: number; failed: boolean}) {
  const round = 2 * Math.PI * 6;
  const part = Math.min(1, Math.max(0, left / Math.max(1, all)));
  return (
    <svg
      className={failed ? 'ring is-failed' : 'ring'}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6" className="ring-all" />
      <circle
        cx="8"
        cy="8"
        r="6"
        className="ring-left"
        strokeDasharray={`${part * round} ${round}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
}
