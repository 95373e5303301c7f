// The reported lease: each renewal and its remaining time.
import {expect, test} from 'vitest';
import {eventually, ManualClock} from '../../../test/manual-clock.ts';
import {controllerFor} from '../controller/controller-builder.ts';
import {rawSource} from '../controller/event-source.ts';
import {LeaseServer} from '../leader/testing-lease-server.ts';
import {silentLogger} from '../log/logger.ts';
import {createManager} from '../manager/create-manager.ts';
import {Program} from './program.ts';
import type {ReportConnectionEvents} from './report-connection.ts';

test('a lease is told again with each renewal, and how long it lasts', async () => {
  const clock = new ManualClock();
  const sent: string[] = [];
  let events: ReportConnectionEvents | undefined;
  const program = new Program({
    name: 'lease',
    channel: given => {
      events = given;
      return {
        unsent: 0,
        send: text => sent.push(text) > 0,
        welcomed() {},
        reject() {},
        end() {},
      };
    },
  });
  const manager = await createManager({
    transport: new LeaseServer().wire(clock),
    clock,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    leaderElection: {id: 'lock', namespace: 'default', identity: 'a', leaseDuration: 40_000},
    report: program,
  });
  controllerFor(manager)
    .named('web')
    .watchesRaw(rawSource('none', () => {}))
    .complete(() => {});
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await manager.elected;
  events!.onMessage({type: 'welcome', session: 'program:lease'} as never);
  const leaders = () =>
    sent
      .map(text => JSON.parse(text))
      .filter(({type}) => type === 'controllers')
      .map(({controllers}) => controllers[0].leader);
  expect(leaders().at(-1)).toMatchObject({lease: 'default/lock', leading: true, duration: 40_000});
  // The first renewal is reported once its answer has arrived.
  await new Promise(resolve => setImmediate(resolve));
  const before = leaders().length;
  for (let renewal = 0; renewal < 3; renewal++) {
    // The next renewal is due only after the answer to the last one has been handled.
    await eventually('a renewal is reported', () => leaders().length > before + renewal, {
      between: () => clock.advance(100),
      every: 5,
    });
  }
  const renewed = leaders()
    .slice(before - 1)
    .map(leader => leader.renewed);
  expect(renewed.length).toBeGreaterThanOrEqual(4);
  expect(renewed.at(-1)).toBeGreaterThan(renewed[0]);
  expect(renewed.toSorted((a, b) => a - b)).toEqual(renewed);
  stop.abort();
  await running;
  program.end();
});
