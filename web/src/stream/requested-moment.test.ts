// @vitest-environment happy-dom
import {afterEach, expect, test, vi} from 'vitest';
import {useApp} from '../store/app.ts';
import {stream} from './client.ts';
import {useRequestedMoment} from './requested-moment.ts';

afterEach(() => {
  stream.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what was answered is drawn before the next moment is asked for, however late the answer is', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date']});
  const socket = {readyState: 1, send: () => {}, close: () => {}} as unknown as WebSocket;
  // `new` returns the function's result, so that the test holds the other end.
  vi.stubGlobal('WebSocket', function open() {
    return socket;
  });
  const say = (message: object) =>
    socket.onmessage?.({data: JSON.stringify(message)} as MessageEvent<string>);
  const look = (moment: number) => useApp.setState(({route: place}) => ({route: {...place, moment}}));
  stream.start('demo');
  say({type: 'welcome', protocol: 1, recording: 'r', session: {name: 'demo'}, sequence: 9, resumed: false});
  look(5);
  expect(useRequestedMoment.getState().moment).toBe(5);
  const drawn: (number | null)[] = [];
  // React draws later than the notification, with the moment of that time.
  const draw = () => queueMicrotask(() => drawn.push(useRequestedMoment.getState().moment));
  stream.subscriptions.onAnswer({ask: 'graph', at: 5}, draw);
  vi.advanceTimersByTime(200);
  look(7);
  expect(useRequestedMoment.getState().moment).toBe(5);
  say({
    type: 'frame',
    sequence: 9,
    at: Date.now(),
    updates: [{id: 's1', topic: 'graph', snapshot: {sequence: 5, collections: [], edges: []}}],
  });
  await Promise.resolve();
  expect(drawn).toEqual([5]);
  vi.advanceTimersByTime(1);
  expect(useRequestedMoment.getState().moment).toBe(7);
});
