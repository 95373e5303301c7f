// Blows to a real 1.36, and a witness that asks at every moment in between whether what is said is so. `npm run weather`
// has the long ones, and limits on time that a busy machine would not keep. Where there is no such server, servers.ts says so.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {realServers} from './servers.ts';
import {changingApiSuite} from './weather/changing-api-suite.ts';
import {credentialsSuite} from './weather/credentials-suite.ts';
import {cutOff, killServer} from './weather/disruptions.ts';
import {rightsSuite} from './weather/rights-suite.ts';
import {TrialSession} from './weather/trial-session.ts';

describe.runIf(realServers !== undefined)('Kubernetes v1.36', () => {
  let trialSession: TrialSession;
  beforeAll(async () => {
    trialSession = await TrialSession.open();
  });
  afterAll(() => trialSession.close());

  test.each([
    ['a link that is dead for 14 s while the server takes writes', cutOff(14, {reset: true})],
    ['an API server that is killed, forgets its versions and starts again', killServer(1, {compact: true})],
  ])(
    '%s: rows hold what their asOf says, and all are current afterwards',
    async (name, disruption) => {
      const {lies, looks, writes, recovery, rate} = await trialSession.trial(name, disruption);
      expect(lies).toEqual([]);
      expect(looks).toBeGreaterThan(3);
      expect(writes).toBeGreaterThan(0);
      console.info(
        `${name}: current ${Math.round(recovery)} ms after it was ready, at most ${rate.asked.length} requests a second and kind`,
      );
    },
    120_000,
  );

  describe('few rights', () => rightsSuite(() => trialSession));
  describe('odd servers', () => changingApiSuite(() => trialSession.plane.server));
  describe('credentials that are refused', () => credentialsSuite(() => trialSession.plane.server));
});
