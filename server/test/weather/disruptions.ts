// What the trials do to a real API server.

import {setTimeout as rest} from 'node:timers/promises';
import type {Disruption} from './trial-session.ts';

/** It stands still for so long; its connections stay open, and nobody answers. */
export function pause(seconds: number): Disruption {
  return async ({plane}) => {
    plane.pause();
    await rest(seconds * 1000);
    plane.resume();
    return plane.ready();
  };
}

/**
 * The link between dies half-open, while the server goes on taking writes. What was open stays silent for ever, unless
 * `reset` tells both ends in the end.
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

/** It is ended at once and started again. With `compact` every version from before is forgotten meanwhile. */
export function killServer(seconds: number, {compact = false} = {}): Disruption {
  return async ({plane}) => {
    await plane.kill();
    await rest(seconds * 1000);
    if (compact) await plane.server.compact?.();
    plane.run();
    return plane.ready();
  };
}

/** etcd is set back, while the load balancer in between only ever resets connections. */
export const restoreBackup: Disruption = async ({plane, writeLog: diary}) => {
  const goBack = await plane.snapshot();
  // What comes after the snapshot will never have been.
  await rest(6000);
  await goBack();
  diary.forget();
  const ready = await plane.ready();
  // Writes that were on their way in between belong to nobody.
  diary.forget();
  return ready;
};
