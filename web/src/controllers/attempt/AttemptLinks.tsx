// Links from an attempt to attempts of other requests: who wrote what woke it, and what its writes woke.
import type {AttemptLink, WhyReconcile} from '@krtscope/shared/controllers.ts';
import {setParams} from '../../store/app.ts';
import {reconcileCauseText} from './attempt-timing.ts';
import './attempt-links.css';

/** Causes that the line above the steps names. */
const MAX_CAUSES = 3;

function openAttempt({controller, key, attempt}: AttemptLink): void {
  setParams({c: controller, k: key, a: String(attempt), why: null}, 'push');
}

function AttemptLinkButton({link}: {link: AttemptLink}) {
  return (
    <button type="button" className="text-link" onClick={() => openAttempt(link)}>
      {link.controller}, {link.key}, attempt {link.attempt}
    </button>
  );
}

/** "ReplicaSet shop/web-1 updated by deployment-controller, shop/web, attempt 4". */
export function AttemptCauses({causes}: {causes: WhyReconcile['causes']}) {
  const linked = causes.filter(one => one.writtenBy !== undefined);
  const shown = (linked.length > 0 ? linked : causes).slice(0, MAX_CAUSES);
  if (shown.length === 0) return null;
  const more = causes.length - shown.length;
  return (
    <p className="attempt-causes">
      <span className="label">Ran because</span>{' '}
      {shown.map((cause, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no other identity
        <span key={at}>
          {reconcileCauseText(cause)}
          {cause.writtenBy === undefined ? null : (
            <>
              {' by '}
              <AttemptLinkButton link={cause.writtenBy} />
            </>
          )}
          {at < shown.length - 1 ? '; ' : ''}
        </span>
      ))}
      {more > 0 ? `; and ${more} more` : ''}
    </p>
  );
}

/** The attempts of other requests that a write caused. */
export function CausedAttempts({caused}: {caused: readonly AttemptLink[] | undefined}) {
  if (caused === undefined || caused.length === 0) return null;
  return (
    <p className="attempt-causes">
      <span className="label">Caused</span>{' '}
      {caused.map((link, at) => (
        <span key={`${link.controller} ${link.key} ${link.attempt}`}>
          <AttemptLinkButton link={link} />
          {at < caused.length - 1 ? '; ' : ''}
        </span>
      ))}
    </p>
  );
}
