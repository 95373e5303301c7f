import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {ToHost} from '../link/host-messages.ts';
import {HostRequests} from './host-requests.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const question = {ask: 'graph'} as const;

test('a question that is not answered within its budget fails by itself, and its late answer is dropped', async () => {
  const requests = new HostRequests();
  const sent: ToHost[] = [];
  const ask = () =>
    requests.ask(
      message => sent.push(message),
      id => ({type: 'ask', id, question}),
    );
  const [slow, answered] = [ask(), ask()];
  const failed = expect(slow).rejects.toMatchObject({code: 'engine-restarting'});
  expect(requests.take({type: 'answer', id: 2, value: '{"sequence": 3}', sequence: 3})).toBe(true);
  expect(await answered).toEqual({sequence: 3});
  vi.advanceTimersByTime(20_000);
  await failed;
  expect(requests.take({type: 'answer', id: 1, value: '{}', sequence: 4})).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
