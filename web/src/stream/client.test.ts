import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {StreamClient} from './client.ts';
import {initialConnection, useConnection} from './server-connection.ts';

/** A socket whose other end is the test. */
class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: {type: string; [name: string]: unknown}[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: {data: string}) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    FakeSocket.all.push(this);
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: object) {
    this.onmessage?.({data: JSON.stringify(message)});
  }
  welcome(more: object = {}) {
    this.open();
    const session = {name: 'demo'} as SessionAnswer;
    this.say({type: 'welcome', protocol: 1, recording: 'r1', session, sequence: 5, resumed: false, ...more});
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }
}

let client: StreamClient;
const failed = vi.fn();
const newest = () => FakeSocket.all.at(-1)!;
const subscriptions = (socket: FakeSocket) => socket.sent.filter(one => one.type === 'subscribe');

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  failed.mockClear();
  useConnection.setState(initialConnection);
  client = new StreamClient(() => new FakeSocket() as unknown as WebSocket, failed);
  client.start('demo');
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

const graph = {ask: 'graph'} as const;
const snapshot = {sequence: 5, collections: [{name: 'Pods', size: 1}], edges: []};

describe('subscriptions', () => {
  test('equal questions share one; the last one to leave ends it a moment later', () => {
    newest().welcome();
    const one = client.subscriptions.onAnswer(graph, () => {});
    const two = client.subscriptions.onAnswer({ask: 'graph'}, () => {});
    expect(subscriptions(newest())).toHaveLength(1);
    one();
    two();
    expect(newest().sent.some(message => message.type === 'unsubscribe')).toBe(false);
    vi.advanceTimersByTime(3001);
    expect(newest().sent.at(-1)).toMatchObject({type: 'unsubscribe'});
  });

  test('the next moment holds what it has in common with the one before as the same objects', () => {
    newest().welcome();
    const at = (moment: number, id: string, sizes: number[]) => {
      const question = {ask: 'graph', at: moment} as const;
      const leave = client.subscriptions.onAnswer(question, () => {});
      const collections = sizes.map((size, n) => ({name: `C${n}`, size}));
      const answer = {sequence: moment, collections, edges: []};
      newest().say({
        type: 'frame',
        sequence: 9,
        at: 0,
        updates: [{id, topic: 'graph', snapshot: answer, mark: `m${moment}`}],
      });
      leave();
      expect(client.subscriptions.stateOf(question).answer).toEqual(answer);
      return client.subscriptions.stateOf(question).answer as typeof answer;
    };
    const one = at(3, 's1', [1, 2, 3]);
    const two = at(4, 's2', [1, 5, 3]);
    expect(two.collections[0]).toBe(one.collections[0]);
    expect(two.collections[1]).not.toBe(one.collections[1]);
    expect(two.edges).toBe(one.edges);
  });

  test('the answers of one moment are told together, and not held back for one that does not come', () => {
    newest().welcome();
    const heard: string[] = [];
    for (const ask of ['graph', 'stats', 'checks'] as const)
      client.subscriptions.onAnswer({ask, at: 3}, () => heard.push(ask));
    const answer = (id: string, topic: string) =>
      newest().say({type: 'frame', sequence: 9, at: 0, updates: [{id, topic, snapshot: {...snapshot}}]});
    answer('s1', 'graph');
    expect(heard).toEqual([]);
    answer('s2', 'stats');
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(heard).toEqual(['graph', 'stats']);
    answer('s3', 'checks');
    expect(heard).toEqual(['graph', 'stats', 'checks']);
    client.subscriptions.onAnswer({ask: 'graph', at: 4}, () => heard.push('graph 4'));
    client.subscriptions.onAnswer({ask: 'stats', at: 4}, () => heard.push('stats 4'));
    answer('s4', 'graph');
    answer('s5', 'stats');
    expect(heard.slice(3)).toEqual(['graph 4', 'stats 4']);
  });

  test('coming back in time keeps the answer and the subscription', () => {
    newest().welcome();
    const leave = client.subscriptions.onAnswer(graph, () => {});
    newest().say({type: 'frame', sequence: 6, at: 0, updates: [{id: 's1', topic: 'graph', snapshot}]});
    leave();
    vi.advanceTimersByTime(1000);
    client.subscriptions.onAnswer(graph, () => {});
    vi.advanceTimersByTime(5000);
    expect(client.subscriptions.stateOf(graph).answer).toEqual(snapshot);
    expect(newest().sent.some(message => message.type === 'unsubscribe')).toBe(false);
  });

  test('a snapshot then a delta; pulses go to their listeners', () => {
    newest().welcome();
    const heard = vi.fn();
    const pulses = vi.fn();
    client.subscriptions.onAnswer(graph, heard);
    client.subscriptions.onPulse(pulses);
    newest().say({type: 'frame', sequence: 6, at: 0, updates: [{id: 's1', topic: 'graph', snapshot}]});
    const pulse = {sequence: 7, at: 0, roots: [], waves: []};
    const delta = {collections: [{name: 'Pods', size: 2}], pulses: [pulse], skipped: 0};
    newest().say({type: 'frame', sequence: 7, at: 0, updates: [{id: 's1', topic: 'graph', delta}]});
    expect(client.subscriptions.stateOf(graph).answer).toMatchObject({
      collections: [{name: 'Pods', size: 2}],
    });
    expect(heard).toHaveBeenCalledTimes(2);
    expect(pulses).toHaveBeenCalledWith(pulse, 0);
    expect(useConnection.getState().sequence).toBe(7);
  });

  test('a failure keeps the answer that was there', () => {
    newest().welcome();
    client.subscriptions.onAnswer(graph, () => {});
    newest().say({type: 'frame', sequence: 6, at: 0, updates: [{id: 's1', topic: 'graph', snapshot}]});
    const failure = {code: 'engine-restarting', message: 'm', hint: 'h'};
    newest().say({type: 'failed', id: 's1', failure});
    expect(client.subscriptions.stateOf(graph)).toEqual({answer: snapshot, failure, fresh: false});
  });
});

describe('a lost socket', () => {
  test('freezes what is held, counts down, asks to resume and asks every question again', () => {
    newest().welcome();
    client.subscriptions.onAnswer(graph, () => {});
    newest().say({type: 'frame', sequence: 9, at: 0, updates: [{id: 's1', topic: 'graph', snapshot}]});
    newest().close();
    expect(client.subscriptions.stateOf(graph)).toMatchObject({answer: snapshot, fresh: false});
    expect(useConnection.getState()).toMatchObject({socket: 'lost', retryAt: Date.now() + 500});
    vi.advanceTimersByTime(500);
    newest().welcome({resumed: true, sequence: 12});
    expect(newest().sent[0]).toMatchObject({type: 'hello', recording: 'r1', since: 9});
    expect(subscriptions(newest())).toHaveLength(1);
    expect(useConnection.getState()).toMatchObject({socket: 'open', resets: 0, lostAt: null, sequence: 12});
  });

  test('waits longer each time and says so when it never got in', () => {
    for (const wait of [500, 1000, 2000, 4000]) {
      newest().close();
      expect(useConnection.getState().retryAt).toBe(Date.now() + wait);
      vi.advanceTimersByTime(wait);
    }
    expect(failed).toHaveBeenCalledTimes(4);
  });

  test('a connection that nobody answers is given up and tried again', () => {
    newest().open();
    vi.advanceTimersByTime(3999);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1 + 500);
    expect(FakeSocket.all).toHaveLength(2);
    newest().welcome();
    vi.advanceTimersByTime(5000);
    expect(useConnection.getState().socket).toBe('open');
  });

  test('another recording counts as a reset', () => {
    newest().welcome();
    newest().close();
    vi.advanceTimersByTime(500);
    newest().welcome({recording: 'r2', resumed: false});
    expect(useConnection.getState()).toMatchObject({recording: 'r2', resets: 1});
  });

  test('a socket that does not answer a ping is taken for lost', () => {
    newest().welcome();
    vi.advanceTimersByTime(10_000);
    expect(newest().sent.at(-1)).toMatchObject({type: 'ping'});
    vi.advanceTimersByTime(5999);
    expect(useConnection.getState().socket).toBe('open');
    vi.advanceTimersByTime(1);
    expect(useConnection.getState().socket).toBe('lost');
  });

  test('a pong keeps it open', () => {
    newest().welcome();
    vi.advanceTimersByTime(10_000);
    newest().say({type: 'pong', n: 1});
    vi.advanceTimersByTime(9000);
    expect(useConnection.getState().socket).toBe('open');
  });
});

test('another session forgets what the one before answered', () => {
  newest().welcome();
  client.subscriptions.onAnswer(graph, () => {});
  newest().say({type: 'frame', sequence: 6, at: 0, updates: [{id: 's1', topic: 'graph', snapshot}]});
  client.start('prod');
  expect(client.subscriptions.stateOf(graph).answer).toBeUndefined();
  newest().welcome({recording: 'p1'});
  expect(newest().sent[0]).toMatchObject({type: 'hello', session: 'prod'});
  expect(newest().sent[0]).not.toHaveProperty('recording');
});

describe('moments', () => {
  test('a moment that is left is let go at once; live answers linger, but never more than the page can spare', () => {
    newest().welcome();
    const open = () =>
      subscriptions(newest()).length - newest().sent.filter(one => one.type === 'unsubscribe').length;
    for (let at = 1; at <= 200; at++) {
      client.subscriptions.onAnswer({ask: 'graph', at}, () => {})();
      vi.advanceTimersByTime(1);
    }
    expect(open()).toBe(0);
    for (let offset = 0; offset < 100; offset++)
      client.subscriptions.onAnswer({ask: 'window', collection: 'Pods', offset}, () => {})();
    expect(open()).toBe(16);
    vi.advanceTimersByTime(3001);
    expect(open()).toBe(0);
  });

  test('pulses of a graph that nobody looks at are not told', () => {
    newest().welcome();
    const pulses = vi.fn();
    client.subscriptions.onPulse(pulses);
    const leave = client.subscriptions.onAnswer(graph, () => {});
    newest().say({type: 'frame', sequence: 6, at: 0, updates: [{id: 's1', topic: 'graph', snapshot}]});
    leave();
    const delta = {collections: [], pulses: [{sequence: 7, at: 0, roots: [], waves: []}], skipped: 0};
    newest().say({type: 'frame', sequence: 7, at: 0, updates: [{id: 's1', topic: 'graph', delta}]});
    expect(pulses).not.toHaveBeenCalled();
  });

  test('settled is told when the last question that waited has its answer', () => {
    newest().welcome();
    const settled = vi.fn();
    client.subscriptions.onSettled(settled);
    client.subscriptions.onAnswer(graph, () => {});
    client.subscriptions.onAnswer({ask: 'checks'}, () => {});
    expect(client.subscriptions.waiting).toBe(2);
    newest().say({type: 'frame', sequence: 6, at: 0, updates: [{id: 's1', topic: 'graph', snapshot}]});
    expect(settled).not.toHaveBeenCalled();
    newest().say({type: 'failed', id: 's2', failure: {code: 'rolled-off', message: 'm', hint: 'h'}});
    expect(settled).toHaveBeenCalledTimes(1);
    expect(client.subscriptions.waiting).toBe(0);
  });
});
