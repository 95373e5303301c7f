// Why a request ran: each event's path through watch, predicate and handler. Also why it does not run now.
import type {
  Attempt,
  ReconcileCause,
  RequestAnswer,
  WhyReconcile as Why,
} from '@krtscope/shared/controllers.ts';
import {clockText} from '../../ui/text/Age.tsx';
import {reconcileCauseText} from './attempt-timing.ts';
import './why-reconcile.css';

export function WhyReconcile({
  answer,
  attempt,
  why,
}: {
  answer: RequestAnswer;
  attempt: Attempt | undefined;
  why: Why | undefined;
}) {
  const rejected = answer.rejected.toReversed();
  return (
    <section className="why-reconcile" aria-label="Why it ran">
      {why === undefined ? null : <p className="why-reconcile-sentence">{why.sentence}</p>}
      <div className="why-reconcile-lists">
        {attempt === undefined ? null : <CauseList title="Enqueued by" causes={attempt.causes} />}
        <CauseList title="Queued for the next run" causes={answer.waiting} />
        <CauseList
          title="Filtered out by a predicate"
          causes={rejected}
          rejectedBy={cause => (cause as (typeof rejected)[number]).rejectedBy}
        />
      </div>
      <p className="why-reconcile-now">
        <b>Now:</b> {answer.now.sentence}
      </p>
    </section>
  );
}

function CauseList({
  title,
  causes,
  rejectedBy,
}: {
  title: string;
  causes: readonly ReconcileCause[];
  rejectedBy?: (cause: ReconcileCause) => string;
}) {
  if (causes.length === 0) return null;
  return (
    <div className="way">
      <h4>{title}</h4>
      <ul>
        {causes.slice(0, 8).map((cause, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no other identity
          <li key={at}>
            <time>{clockText(cause.at, true)}</time> <span>{reconcileCauseText(cause)}</span>
            {cause.watch === undefined ? null : <em>watch {cause.watch}</em>}
            {rejectedBy === undefined ? (
              cause.handler ? (
                <em>handler {cause.handler}</em>
              ) : null
            ) : (
              <em className="is-failed">{rejectedBy(cause)} filtered it out</em>
            )}
            {cause.folded ? <em>coalesced</em> : null}
          </li>
        ))}
        {causes.length > 8 ? <li>and {causes.length - 8} more</li> : null}
      </ul>
    </div>
  );
}
