// npm run weather: all trials on a real Kubernetes 1.36, with limits. Takes about eight minutes.

import {parseArgs} from 'node:util';
import {realServers} from '../servers.ts';
import type {ControlPlane} from './control-plane.ts';
import {cutOff, killServer, pause, restoreBackup} from './disruptions.ts';
import {measureRightsNotice, measureTokenNotice, type NoticeTime} from './notice-times.ts';
import {measureSlowLink} from './slow-link.ts';
import {type Disruption, TrialSession} from './trial-session.ts';

const {positionals} = parseArgs({allowPositionals: true});

const trials: Record<string, {disruption: Disruption; limit?: number}> = {
  'pause-5': {disruption: pause(5), limit: 10},
  kill: {disruption: killServer(0), limit: 10},
  compact: {disruption: killServer(3, {compact: true}), limit: 10},
  restore: {disruption: restoreBackup, limit: 10},
  'cut-14': {disruption: cutOff(14, {reset: true}), limit: 10},
  'cut-45': {disruption: cutOff(45), limit: 10},
  'pause-30': {disruption: pause(30), limit: 10},
  'kill-20': {disruption: killServer(20), limit: 10},
  // Longer than a minute: it recovers, only later.
  'pause-90': {disruption: pause(90)},
  'cut-90': {disruption: cutOff(90)},
};
const most = 3;

/** Changes that a session must notice, with a limit in seconds. */
const noticed: Record<string, (server: ControlPlane['server']) => Promise<NoticeTime[]>> = {
  rights: measureRightsNotice,
  token: measureTokenNotice,
  trickle: measureSlowLink,
};

if (!realServers) process.exit(1);
const names = [...Object.keys(trials), ...Object.keys(noticed)];
const chosen = positionals.length === 0 ? names : positionals;
const unknown = chosen.filter(name => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no trial ${unknown.join(', ')}; there are ${names.join(', ')}\n`);
  process.exit(2);
}
const trialSession = await TrialSession.open();
let failed = 0;
try {
  for (const name of chosen) {
    for (const {what, ms, limit} of (await noticed[name]?.(trialSession.plane.server)) ?? []) {
      if (ms > limit * 1000) failed++;
      const told = `${what} after ${(ms / 1000).toFixed(1)} s, at most ${limit}`;
      process.stdout.write(`${name.padEnd(10)} ${ms > limit * 1000 ? 'WRONG' : 'ok   '} ${told}\n`);
    }
    const trial = trials[name];
    if (trial === undefined) continue;
    const {disruption, limit} = trial;
    const {lies, looks, recovery, rate, oldest, writes} = await trialSession.trial(name, disruption);
    const wrong = [...lies];
    if (limit !== undefined && recovery > limit * 1000)
      wrong.push(`current only ${recovery} ms after it was ready`);
    if (rate.asked.length > most) wrong.push(`in one second for ${rate.path}: ${rate.asked.join('; ')}`);
    failed += wrong.length;
    const told = `current ${(recovery / 1000).toFixed(1)} s after the server was ready, at most ${rate.asked.length} requests a second and kind, oldest row ${(oldest / 1000).toFixed(1)} s, ${writes} writes, ${looks} looks`;
    process.stdout.write(`${name.padEnd(10)} ${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${told}\n`);
    for (const one of wrong) process.stdout.write(`           ${one}\n`);
  }
} finally {
  await trialSession.close();
}
process.exit(failed === 0 ? 0 : 1);
