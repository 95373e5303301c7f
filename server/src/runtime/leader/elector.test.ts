import {expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {makeLogger} from '../log/logger.ts';
import {Metrics} from '../metrics/metrics.ts';
import {checkTimes} from './elector.ts';
import {LeaderElection, type LeaderElectionOptions} from './leader-election.ts';
import {LeaseServer} from './testing-lease-server.ts';
import {LeaseExpiredError} from './write-fence.ts';

class Candidate {
  readonly happened: string[] = [];
  readonly election: LeaderElection;
  readonly metrics = new Metrics();
  broken: () => void | Promise<void> = () => {};
  over = false;

  constructor(clock: ManualClock, server: LeaseServer, options: Partial<LeaderElectionOptions> = {}) {
    this.election = new LeaderElection(
      {id: 'lock', namespace: 'default', identity: 'a', ...options},
      {
        wire: server.wire(clock, () => this.broken()),
        clock,
        log: makeLogger(() => {}),
        metrics: this.metrics,
      },
    );
    void this.election
      .run(
        () => this.happened.push('elected'),
        () => this.happened.push('lost'),
      )
      .then(() => {
        this.over = true;
      });
  }
}

async function advance(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    clock.advance(Math.min(100, left));
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

const broken = () => {
  throw new Error('the server does not answer');
};

test('[115] without a Lease one is created, with no transitions, and its creator leads', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server);
  await settle();
  expect(a.happened).toEqual(['elected']);
  expect(server.log).toEqual(['GET', 'POST a', 'PUT a']);
  expect(server.record).toMatchObject({holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0});
  expect(server.record.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(server.events).toEqual(['a became leader']);
  await advance(clock, 2000);
  expect(server.log.at(-1), 'renewed without reading it first').toBe('PUT a');
  const status = await a.metrics.masterStatus.get();
  expect(status.values).toEqual([{labels: {name: 'lock'}, value: 1}]);
});

test('[116] another’s Lease is not taken for a whole leaseDuration, however old its times are', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  server.put({holderIdentity: 'gone', renewTime: '2001-01-01T00:00:00.000000Z', leaseTransitions: 4});
  const a = new Candidate(clock, server);
  await advance(clock, 14_900);
  expect(a.happened).toEqual([]);
  expect(a.election.view()).toMatchObject({leader: 'gone', state: 'candidate', leading: false});
  await advance(clock, 4500);
  expect(a.happened).toEqual(['elected']);
  expect(server.record).toMatchObject({holderIdentity: 'a', leaseTransitions: 5});
});

test('[117] each renewal that is seen starts the wait anew', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server, {identity: 'a'});
  await settle();
  const b = new Candidate(clock, server, {identity: 'b'});
  await advance(clock, 60_000);
  expect(b.happened).toEqual([]);
  a.broken = broken;
  await advance(clock, 14_900);
  expect(b.happened).toEqual([]);
  await advance(clock, 8000);
  expect(b.happened).toEqual(['elected']);
  expect(a.happened).toEqual(['elected', 'lost']);
});

test('[119] of two that race one is refused and stays a candidate', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server, {identity: 'a'});
  const b = new Candidate(clock, server, {identity: 'b'});
  await settle();
  expect([a.happened, b.happened]).toEqual([['elected'], []]);
  expect(server.log).toEqual(['GET', 'GET', 'POST a', 'POST b', 'PUT a']);
  await advance(clock, 10_000);
  expect(b.happened).toEqual([]);
});

test('[120] renewals that fail for renewDeadline end the leadership; [121] one that fails does not', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server);
  await settle();
  a.broken = broken;
  await advance(clock, 4000);
  expect(a.election.view().state).toBe('renew-failing');
  a.broken = () => {};
  await advance(clock, 4000);
  expect(a.election.view().state).toBe('leading');
  a.broken = broken;
  await advance(clock, 12_000);
  expect(a.happened).toEqual(['elected', 'lost']);
  expect(a.over).toBe(true);
  a.broken = () => {};
  await advance(clock, 60_000);
  expect(a.happened, 'there is no way back to candidate').toEqual(['elected', 'lost']);
});

test('a renewal that hangs does not hold the leadership beyond renewDeadline', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server);
  await settle();
  a.broken = () => new Promise<void>(() => {});
  await advance(clock, 12_000);
  expect(a.happened).toEqual(['elected', 'lost']);
});

test('[122] release on cancel empties the holder, and another takes over at its next try', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server, {identity: 'a', releaseOnCancel: true});
  await settle();
  const b = new Candidate(clock, server, {identity: 'b'});
  await advance(clock, 5000);
  a.election.stop();
  await settle();
  expect(server.record).toMatchObject({holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0});
  expect(a.happened).toEqual(['elected']);
  await advance(clock, 4400);
  expect(b.happened).toEqual(['elected']);
  expect(server.record).toMatchObject({holderIdentity: 'b', leaseTransitions: 1});
});

test('without it the lease stays, and another waits until it has run out', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server, {identity: 'a'});
  await settle();
  a.election.stop();
  await settle();
  expect(server.record.holderIdentity).toBe('a');
  expect(a.over).toBe(true);
});

test('a candidate tries every 2 to 4.4 s', async () => {
  const clock = new ManualClock(7);
  const server = new LeaseServer();
  server.put({holderIdentity: 'other', renewTime: 'x'});
  new Candidate(clock, server);
  await settle();
  const waits: number[] = [];
  for (let tries = 0; tries < 40; tries++) {
    server.put({holderIdentity: 'other', renewTime: String(tries)});
    waits.push(clock.waits()[0] ?? 0);
    clock.advance(waits.at(-1)!);
    await settle();
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2000);
  expect(Math.max(...waits)).toBeLessThan(4400);
  expect(new Set(waits).size).toBeGreaterThan(30);
});

test('[123] times that cannot work are refused', () => {
  const times = {leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000};
  checkTimes({...times, renewDeadline: 2401});
  expect(() => checkTimes({...times, renewDeadline: 2400})).toThrow(/longer than 1.2 times retryPeriod/);
  expect(() => checkTimes({...times, leaseDuration: 10_000})).toThrow(/longer than renewDeadline/);
  expect(() => checkTimes({...times, retryPeriod: 0})).toThrow(/greater than 0/);
  const make = (options: LeaderElectionOptions) => () =>
    new LeaderElection(options, {
      wire: new LeaseServer().wire(new ManualClock()),
      clock: new ManualClock(),
      log: makeLogger(() => {}),
      metrics: new Metrics(),
    });
  expect(make({id: '', namespace: 'default'})).toThrow(/needs an id/);
  expect(make({id: 'x'})).toThrow(/needs a namespace/);
});

test('writes stop renewDeadline after the last renewal was sent, also one that is on its way', async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const a = new Candidate(clock, server);
  const sent: string[] = [];
  const wire = a.election.fence.around({
    ...server.wire(clock),
    request: async options => {
      await new Promise<void>((resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason), {once: true});
        if (options.path !== '/slow') resolve();
      });
      sent.push(options.path);
      return {code: 200, headers: {}, warnings: [], body: undefined as never};
    },
  });
  const write = (path: string) => wire.request({method: 'PUT', path});
  await write('/before-anybody-leads');
  await settle();
  a.broken = broken;
  await advance(clock, 9900);
  await write('/in-time');
  const slow = expect(write('/slow')).rejects.toThrow(LeaseExpiredError);
  await advance(clock, 200);
  await slow;
  await expect(write('/late')).rejects.toThrow(/another process may lead/);
  await wire.request({path: '/reads-go-through'});
  expect(sent).toEqual(['/before-anybody-leads', '/in-time', '/reads-go-through']);
});

test('an answer to a renewal that comes after giving up does not open the fence again', () => {
  const clock = new ManualClock();
  const {fence} = new Candidate(clock, new LeaseServer()).election;
  fence.renewed(0);
  fence.close();
  fence.renewed(clock.now());
  expect(() => fence.check()).toThrow(LeaseExpiredError);
});
