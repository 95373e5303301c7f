import type {Question} from '@krtscope/shared/questions.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {StreamMessage} from '@krtscope/shared/stream.ts';
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import {expect, test} from 'vitest';
import type {EngineLink} from '../engine/link/engine-link.ts';
import type {OpenSession} from '../engine/link/session.ts';
import {SharedSubscriptions} from './shared-subscription.ts';
import {MAX_SUBSCRIPTIONS, StreamSocket} from './stream-socket.ts';

const described = {id: 'rec', name: 'demo', kept: {newest: {sequence: 7, time: 0}}} as SessionAnswer;

function rig() {
  const asked: string[] = [];
  const questions: Question[] = [];
  const ends = new Set<() => void>();
  let publish: Parameters<EngineLink['subscribe']>[1] = () => {};
  const link: EngineLink = {
    isResting: false,
    ask: async () => undefined,
    async *krtz() {},
    subscribe: (question, on) => {
      asked.push(`+${question.ask}`);
      questions.push(question);
      publish = on;
      return () => void asked.push(`-${question.ask}`);
    },
  };
  const session = {
    name: 'demo',
    link,
    describe: () => described,
    onChange: () => () => {},
    onEnd: (f: () => void) => {
      ends.add(f);
      return () => void ends.delete(f);
    },
  } as unknown as OpenSession;
  const other = {...session, name: 'other'} as OpenSession;
  const timers: (() => void)[] = [];
  const queue = (_ms: number, f: () => void) => {
    timers.push(f);
    return () => {};
  };
  const shared = new SharedSubscriptions(link, {after: queue});
  const open = () => {
    const sent: StreamMessage[] = [];
    const closed: number[] = [];
    const socket = new StreamSocket({
      wire: {bufferedAmount: 0, send: text => void sent.push(JSON.parse(text))},
      session,
      shared,
      find: name =>
        name === 'other'
          ? {session: other, shared: new SharedSubscriptions(link, {after: queue})}
          : undefined,
      clock: {now: () => 0, after: queue},
      close: code => void closed.push(code),
    });
    const say = (message: unknown) =>
      socket.receive(typeof message === 'string' ? message : JSON.stringify(message));
    return {socket, say, sent, closed};
  };
  const flush = () => {
    for (const f of timers.splice(0)) f();
  };
  return {
    open,
    asked,
    questions,
    flush,
    ends,
    publish: (...args: Parameters<typeof publish>) => publish(...args),
  };
}
const hello = {type: 'hello', protocol: PROTOCOL};
const graph = (id: string) => ({type: 'subscribe', id, question: {ask: 'graph'}});

test('two sockets with one question are one subscription to the engine, ended with the last of them', () => {
  const {open, asked} = rig();
  const [a, b] = [open(), open()];
  for (const {say} of [a, b]) {
    say(hello);
    say(graph('g'));
  }
  expect(asked).toEqual(['+graph']);
  a.socket.stop();
  expect(asked).toEqual(['+graph']);
  b.say({type: 'unsubscribe', id: 'g'});
  expect(asked).toEqual(['+graph', '-graph']);
});

test('a page whose socket broke hears what changed since, or that nothing did; who has nothing gets everything', () => {
  const {open, publish, flush, asked} = rig();
  const first = open();
  first.say(hello);
  first.say(graph('g'));
  const collection = (name: string, size: number) => ({name, size}) as never;
  const delta = (name: string, size: number) => ({
    topic: 'graph' as const,
    delta: {collections: [collection(name, size)], pulses: [], skipped: 0},
  });
  const whole = {sequence: 1, collections: [collection('Pods', 1), collection('Nodes', 1)], edges: []};
  publish({topic: 'graph', snapshot: whole}, 1);
  publish(delta('Pods', 2), 2);
  flush();
  const lastMark = (sent: StreamMessage[]) =>
    sent
      .flatMap(m =>
        m.type === 'frame' ? m.updates.map(({mark}) => mark) : m.type === 'same' ? [m.mark] : [],
      )
      .at(-1);
  const have = lastMark(first.sent);
  expect(have).toBeTruthy();
  first.socket.stop();
  // It has no subscriber, but lingers for a moment.
  publish(delta('Pods', 3), 3);
  publish(delta('Nodes', 4), 4);
  expect(asked).toEqual(['+graph']);
  const again = open();
  again.say({...hello, recording: 'rec', since: 2});
  again.say({...graph('h'), have});
  flush();
  const [update] = again.sent.flatMap(m => (m.type === 'frame' ? m.updates : []));
  expect(update).toMatchObject({
    id: 'h',
    delta: {
      collections: [
        {name: 'Pods', size: 3},
        {name: 'Nodes', size: 4},
      ],
    },
  });
  // The linger time of the first socket is over; the second keeps the question.
  expect(asked).toEqual(['+graph']);
  const third = open();
  third.say({...graph('i'), have: lastMark(again.sent)});
  expect(third.sent.at(-1)).toEqual({type: 'same', id: 'i', mark: lastMark(again.sent)});
  for (const unknown of ['nonsense', 'x-1.1', `${have?.split('.')[0]}.99`]) {
    const other = open();
    other.say({...graph('j'), have: unknown});
    flush();
    expect(other.sent.flatMap(m => (m.type === 'frame' ? m.updates : []))).toMatchObject([
      {snapshot: {collections: [{size: 3}, {size: 4}]}},
    ]);
    other.say({type: 'unsubscribe', id: 'j'});
  }
  again.socket.stop();
  third.socket.stop();
  expect(asked).toEqual(['+graph']);
  flush();
  expect(asked).toEqual(['+graph', '-graph']);
});

test('who joins late gets the state folded from everything before', () => {
  const {open, publish, flush} = rig();
  const early = open();
  early.say(hello);
  early.say(graph('g'));
  const collection = (size: number) => ({name: 'Pods', size}) as never;
  publish({topic: 'graph', snapshot: {sequence: 1, collections: [collection(1)], edges: []}}, 1);
  publish({topic: 'graph', delta: {collections: [collection(2)], pulses: [], skipped: 0}}, 2);
  const late = open();
  late.say(hello);
  late.say(graph('other'));
  flush();
  expect(late.sent.at(-1)).toMatchObject({
    type: 'frame',
    sequence: 2,
    updates: [{id: 'other', snapshot: {collections: [{name: 'Pods', size: 2}]}}],
  });
});

test('an update is stringified once for all sockets', () => {
  const {open, publish, flush} = rig();
  let written = 0;
  const collection = {
    toJSON() {
      written += 1;
      return {name: 'Pods', size: 2};
    },
  } as never;
  const pages = ['a', 'b', 'c'].map(id => {
    const page = open();
    page.say(hello);
    page.say(graph(id));
    return {...page, id};
  });
  const update = {topic: 'graph' as const, snapshot: {sequence: 1, collections: [collection], edges: []}};
  publish(update, 1);
  flush();
  expect(written).toBe(1);
  // The engine process has already written the text of its updates.
  publish(update, 2, '{"topic":"graph","snapshot":{"sequence":1,"collections":[],"edges":[]}}');
  flush();
  expect(written).toBe(1);
  for (const {sent, id} of pages) {
    expect(sent.slice(1)).toMatchObject([
      {updates: [{id, topic: 'graph', snapshot: {collections: [{name: 'Pods', size: 2}]}}]},
      {updates: [{id, topic: 'graph', snapshot: {collections: []}}]},
    ]);
  }
});

test('resuming is granted for this recording only', () => {
  const {open} = rig();
  const {say, sent} = open();
  say({...hello, recording: 'rec', since: 5});
  say({...hello, recording: 'another', since: 5});
  expect(sent.map(m => m.type === 'welcome' && m.resumed)).toEqual([true, false]);
});

test('a socket ends with its session, and leaves nothing behind when it goes first', () => {
  const {open, ends} = rig();
  const left = open();
  left.socket.stop();
  const stays = open();
  for (const end of ends) end();
  expect(stays.closed).toEqual([1001]);
  expect(left.closed).toEqual([]);
});

test('a filter is what HTTP calls q', () => {
  const {open, questions} = rig();
  const {say, sent} = open();
  const window = {ask: 'window', collection: 'Pods'};
  say({type: 'subscribe', id: 'a', question: {...window, filter: 'ns:shop'}});
  say({type: 'subscribe', id: 'b', question: {...window, filter: 5}});
  expect(questions).toMatchObject([{ask: 'window', q: 'ns:shop', offset: 0, count: 100}]);
  expect(sent.at(-1)).toMatchObject({type: 'failed', id: 'b', failure: {code: 'bad-query'}});
});

test('a subscription may name another session: its own updates, not the frame’s sequence, and its end', () => {
  const {open, asked, publish, flush, ends} = rig();
  const {say, sent, closed, socket} = open();
  say({...graph('a'), session: 'nope'});
  expect(sent.at(-1)).toMatchObject({type: 'failed', id: 'a', failure: {code: 'unknown-session'}});
  say({type: 'subscribe', id: 'b', question: {ask: 'graph', session: 'other'}});
  expect(asked).toEqual(['+graph']);
  publish({topic: 'graph', snapshot: {sequence: 900, collections: [], edges: []}}, 900);
  flush();
  expect(sent.at(-1)).toMatchObject({type: 'frame', sequence: 0, updates: [{id: 'b'}]});
  expect(ends.size).toBe(2);
  [...ends][1]?.();
  expect(sent.at(-1)).toMatchObject({type: 'failed', id: 'b', failure: {code: 'unknown-session'}});
  expect(asked).toEqual(['+graph', '-graph']);
  expect(closed).toEqual([]);
  socket.stop();
  expect(ends.size).toBe(0);
});

test('another protocol version is told to reload', () => {
  const {open} = rig();
  const {say, closed} = open();
  say({...hello, protocol: PROTOCOL + 1});
  expect(closed).toEqual([1002]);
});

test('what is not a message is answered by name and harms nothing', () => {
  const {open} = rig();
  const {say, sent} = open();
  say('{');
  say({type: 'subscribe', id: 'x', question: {ask: 'nonsense'}});
  say(hello);
  say({type: 'subscribe', id: 'krtz', question: {ask: 'kept'}});
  expect(sent.map(m => (m.type === 'failed' ? `${m.id ?? '-'} ${m.failure.code}` : m.type))).toEqual([
    '- bad-query',
    'x bad-query',
    'welcome',
    'krtz bad-query',
  ]);
});

test('a reader that does not say hello is welcomed when it subscribes, or after a while', () => {
  const {open, asked, flush} = rig();
  const [eager, silent] = [open(), open()];
  eager.say(graph('early'));
  expect(eager.sent).toMatchObject([{type: 'welcome', recording: 'rec', resumed: false}]);
  expect(asked).toEqual(['+graph']);
  expect(silent.sent).toEqual([]);
  flush();
  expect(silent.sent).toMatchObject([{type: 'welcome', recording: 'rec', resumed: false}]);
  expect(eager.sent.filter(({type}) => type === 'welcome')).toHaveLength(1);
});

test(`a socket holds at most ${MAX_SUBSCRIPTIONS} subscriptions`, () => {
  const {open} = rig();
  const {say, sent} = open();
  say(hello);
  for (let n = 0; n <= MAX_SUBSCRIPTIONS; n++) say(graph(`g${n}`));
  expect(sent.at(-1)).toMatchObject({
    type: 'failed',
    id: `g${MAX_SUBSCRIPTIONS}`,
    failure: {code: 'too-many'},
  });
});

test('a socket that asks without end is closed', () => {
  const {open} = rig();
  const {say, closed} = open();
  for (let n = 0; n < 4100; n++) say({type: 'ping', n});
  expect(closed[0]).toBe(1008);
});
