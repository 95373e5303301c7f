// Links between attempts: which attempt wrote what an event reports, and which attempts a write caused.
import type {Attempt, AttemptLink, ReconcileCause} from '@krtscope/shared/controllers.ts';
import type {StoredAttempt} from '../../../link/controller-rows.ts';
import {eventVersion, writtenVersion} from '../../../link/object-version.ts';

/** Attempts that one write lists; a Secret may be watched by thousands of requests. */
const MAX_CAUSED = 20;

export interface AttemptLinks {
  writerOf(cause: ReconcileCause): AttemptLink | undefined;
  causedBy(write: Attempt['writes'][number]): AttemptLink[];
}

/** The links of one attempt. Links from an attempt to itself are left out. */
export function attemptLinksOf(
  attempts: readonly StoredAttempt[],
  of: StoredAttempt | undefined,
): AttemptLinks {
  const writers = new Map<string, AttemptLink>();
  const caused = new Map<string, AttemptLink[]>();
  for (const attempt of attempts) {
    if (attempt.key === of?.key) continue;
    const link = {controller: attempt.controller, key: attempt.request, attempt: attempt.attempt};
    for (const write of attempt.writes) {
      const version = writtenVersion(write);
      if (version !== undefined) writers.set(version, link);
    }
    for (const version of new Set(attempt.causes.map(eventVersion))) {
      if (version === undefined) continue;
      const links = caused.get(version);
      if (links === undefined) caused.set(version, [link]);
      else links.push(link);
    }
  }
  return {
    writerOf: cause => (cause.unchanged ? undefined : writers.get(eventVersion(cause) ?? '')),
    causedBy: write => (caused.get(writtenVersion(write) ?? '') ?? []).slice(0, MAX_CAUSED),
  };
}
