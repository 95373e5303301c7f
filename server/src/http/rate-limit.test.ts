// The limit of requests must not depend on the wall clock, which may step.
import type {NextFunction, Request, Response} from 'express';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {limitRate} from './rate-limit.ts';
import {TokenThrottle} from './token-throttle.ts';

let step = 0;

beforeEach(() => {
  step = 0;
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + step);
});

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([-3_600_000, 3_600_000])('a clock that steps by %d ms refuses no request', ms => {
  const limit = limitRate({perSecond: 500, burst: 2000});
  const request = {socket: {remoteAddress: '127.0.0.1'}} as unknown as Request;
  const failures: unknown[] = [];
  const next: NextFunction = error => {
    if (error !== undefined) failures.push(error);
  };
  limit(request, {} as Response, next);
  step = ms;
  for (let n = 0; n < 10; n++) limit(request, {} as Response, next);
  expect(failures).toEqual([]);
});

test('a clock that steps back does not make a wrong token wait for an hour', async () => {
  const throttle = new TokenThrottle();
  for (let n = 0; n < 6; n++) throttle.recordWrong('10.0.0.9', [`wrong-${n}`]);
  step = -3_600_000;
  await vi.waitFor(() => expect(throttle.mayTry('10.0.0.9', ['right'])).toBe(true));
});
