// The disruptions of a real API server.

import {setTimeout as rest} from 'node:timers/promises';
import type {Disruption} from './trial-session.ts';

/** Stops the server for some seconds. Its connections stay open without answers. */
export function pause(seconds: number): Disruption {
  return async ({plane}) => {
    plane.pause();
    await rest(seconds * 1000);
    plane.resume();
    return plane.ready();
  };
}

/**
 * Makes the link half-open while the server accepts writes. Open connections stay silent for ever, unless
 * `reset` closes them at the end.
 */
export function cutOff(seconds: number, {reset = false} = {}): Disruption {
  return async ({proxy}) => {
    proxy.silenceAll();
    proxy.rules = [() => ({kind: 'hang'})];
    await rest(seconds * 1000);
    proxy.rules = [];
    if (reset) proxy.resetAll();
    return performance.now();
  };
}

/** Kills the server and starts it again. `compact` drops all earlier revisions meanwhile. */
export function killServer(seconds: number, {compact = false} = {}): Disruption {
  return async ({plane}) => {
    await plane.kill();
    await rest(seconds * 1000);
    if (compact) await plane.server.compact?.();
    plane.run();
    return plane.ready();
  };
}

/** Restores an earlier etcd while the load balancer only resets connections. */
export const restoreBackup: Disruption = async ({plane, writeLog}) => {
  const goBack = await plane.snapshot();
  // These writes are lost with the restore.
  await rest(6000);
  await goBack();
  writeLog.forget();
  const ready = await plane.ready();
  // The result of writes during the restore is unknown.
  writeLog.forget();
  return ready;
};
