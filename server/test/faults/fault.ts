// The faults of a round. Each function arranges one and returns, and the round goes on writing.

import {type Fault, type ProxiedRequest, statusBody} from '../fault-proxy.ts';
import {eventually} from '../manual-clock.ts';
import type {Round} from './round.ts';

type Arrange = (round: Round) => Promise<void>;

/** Applies a fault to the next few matching requests. */
function next(
  round: Round,
  count: number,
  fault: () => Fault,
  fits: (seen: ProxiedRequest) => boolean = () => true,
): void {
  let left = count;
  round.environment.proxy.rules = [seen => (fits(seen) && left-- > 0 ? fault() : undefined)];
}

function few(round: Round): number {
  return 1 + Math.floor(round.random() * 3);
}

function bytes(round: Round): number {
  return Math.floor(round.random() * 3000);
}

const isWatch = (seen: ProxiedRequest) => seen.watch;

function expired(): object {
  return statusBody(410, 'Expired', 'too old resource version');
}

export const faults = {
  async reset(round) {
    if (round.random() < 0.5) next(round, few(round), () => ({kind: 'reset'}));
    round.environment.proxy.resetAll();
  },
  async 'reset in the stream'(round) {
    const at = bytes(round);
    next(round, few(round), () => ({kind: 'reset-after', bytes: at}));
    round.environment.proxy.resetAll();
  },
  async 'half-open'(round) {
    const at = bytes(round);
    next(round, few(round), () => ({kind: 'silence-after', bytes: at}));
    round.environment.proxy.endWatches();
  },
  async 'never answers'(round) {
    next(round, 1, () => ({kind: 'hang'}));
    round.environment.proxy.endWatches();
  },
  async 'gone by event'(round) {
    const line = JSON.stringify({type: 'ERROR', object: expired()});
    next(round, few(round), () => ({kind: 'garbage-after', lines: 0, line}), isWatch);
    round.environment.proxy.endWatches();
  },
  async 'gone by answer'(round) {
    next(round, few(round), () => ({kind: 'answer', code: 410, body: expired()}));
    round.environment.proxy.endWatches();
  },
  async compacted(round) {
    round.environment.proxy.resetAll();
    await round.write();
    await round.environment.compact();
  },
  async 'too many requests'(round) {
    const body = statusBody(429, 'TooManyRequests', 'wait', {retryAfterSeconds: 2});
    next(round, few(round), () => ({kind: 'answer', code: 429, headers: {'retry-after': '2'}, body}));
    round.environment.proxy.endWatches();
  },
  async 'server errors'(round) {
    const code = [500, 502, 503, 504][Math.floor(round.random() * 4)]!;
    next(round, few(round), () => ({kind: 'answer', code, body: 'not even JSON'}));
    round.environment.proxy.endWatches();
  },
  async slow(round) {
    next(round, few(round), () => ({kind: 'slow', ms: 3}));
    round.environment.proxy.endWatches();
  },
  async split(round) {
    const size = 1 + Math.floor(round.random() * 7);
    next(round, few(round), () => ({kind: 'split', size}));
    round.environment.proxy.endWatches();
  },
  async truncated(round) {
    const at = bytes(round);
    next(round, few(round), () => ({kind: 'truncate-after', bytes: at}));
    round.environment.proxy.endWatches();
  },
  async duplicated(round) {
    next(round, few(round), () => ({kind: 'duplicate'}), isWatch);
    round.environment.proxy.endWatches();
  },
  async noise(round) {
    const lines = Math.floor(round.random() * 4);
    next(round, few(round), () => ({kind: 'garbage-after', lines}), isWatch);
    round.environment.proxy.endWatches();
  },
  async 'server restarted'(round) {
    await round.environment.proxy.stop();
    await round.write();
    await waitUntilNoticed(round);
    await round.environment.compact();
    await round.environment.proxy.start();
  },
  async 'server replaced'(round) {
    await round.environment.proxy.stop();
    await waitUntilNoticed(round);
    round.environment.replaceServer();
    await round.environment.proxy.start();
  },
  async 'restored behind a load balancer'(round) {
    // Connections are reset and not refused, like a short break.
    round.environment.replaceServer();
    round.environment.proxy.resetAll();
  },
  async 'a page of somebody else'(round) {
    const headers = {'content-type': 'text/html'};
    next(round, few(round), () => ({kind: 'answer', code: 404, headers, body: '<h1>404</h1>'}));
    round.environment.proxy.resetAll();
  },
  async 'silent watches'(round) {
    next(round, few(round), () => ({kind: 'silence-after', bytes: 0}), isWatch);
    round.environment.proxy.endWatches();
  },
  async 'told to wait, then silence'(round) {
    const body = statusBody(429, 'TooManyRequests', 'wait', {retryAfterSeconds: 8});
    const wait: Fault = {kind: 'answer', code: 429, headers: {'retry-after': '8'}, body};
    let asked = 0;
    round.environment.proxy.rules = [
      ({watch}) =>
        !watch || asked > 1 ? undefined : asked++ === 0 ? wait : {kind: 'silence-after', bytes: 0},
    ];
    round.environment.proxy.endWatches();
    // Writes while the watch is away, so that the next watch cannot have seen the write.
    for (let turns = 0; turns < 20 && asked === 0; turns++) await new Promise(go => setTimeout(go, 2));
    await round.write();
    for (let turns = 0; turns < 20 && asked === 1; turns++) await round.rest();
    await round.rest();
  },
  async 'token expired'(round) {
    round.environment.renewToken();
    round.environment.proxy.resetAll();
  },
} satisfies Record<string, Arrange>;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as FaultName[];

/** Waits until the reflector has noticed that the server is gone. */
function waitUntilNoticed(round: Round): Promise<void> {
  return eventually('the refusal is noticed', () => round.informer.state.reason.includes('ECONNREFUSED'), {
    every: 1,
    between: () => void round.rest(),
  });
}
