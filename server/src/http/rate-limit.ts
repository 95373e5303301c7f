// A token bucket for each caller, so that a runaway script does not starve the people at the page.
import type {NextFunction, Request, Response} from 'express';
import {HttpFailure} from './failure.ts';

export interface RateLimitOptions {
  perSecond: number;
  burst: number;
  now?: () => number;
}

export function limitRate({perSecond, burst, now = () => performance.now()}: RateLimitOptions) {
  const buckets = new Map<string, {left: number; at: number}>();
  return (req: Request, _res: Response, next: NextFunction): void => {
    const caller = req.socket.remoteAddress ?? '';
    const moment = now();
    const bucket = buckets.get(caller) ?? {left: burst, at: moment};
    bucket.left = Math.min(burst, bucket.left + ((moment - bucket.at) / 1000) * perSecond);
    bucket.at = moment;
    buckets.set(caller, bucket);
    // Without this limit, callers that came once would stay in the map forever.
    if (buckets.size > 10_000) buckets.clear();
    if (bucket.left < 1) {
      next(
        new HttpFailure(
          'too-many',
          `more than ${perSecond} requests a second`,
          'wait a second and try again',
        ),
      );
      return;
    }
    bucket.left--;
    next();
  };
}
