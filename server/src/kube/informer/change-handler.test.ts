import {describe, expect, test, vi} from 'vitest';
import {type Change, type Handler, InformerHandlerQueue} from './change-handler.ts';

const change = (key: string): Change => ({event: 'add', key, new: {metadata: {name: key}}, initial: false});
const settle = () => new Promise(resolve => setTimeout(resolve, 5));

function rig(handler: Handler) {
  const problems: string[] = [];
  const queue = new InformerHandlerQueue(
    handler,
    problem => problems.push(problem),
    () => {},
  );
  return {queue, problems};
}

describe('a handler', () => {
  test('that throws or rejects goes on with the next change, and the failure is told', async () => {
    const heard: string[] = [];
    const {queue, problems} = rig({
      onChange({key}) {
        heard.push(key);
        if (key === 'a') throw new Error('no a');
        if (key === 'b') return Promise.reject(new Error('no b'));
        return undefined;
      },
    });
    queue.changes([change('a'), change('b'), change('c')]);
    await settle();
    expect(heard).toEqual(['a', 'b', 'c']);
    expect(problems).toEqual([expect.stringContaining('no a'), expect.stringContaining('no b')]);
  });

  test('[54] that is slow gets everything in order, one call at a time', async () => {
    const heard: string[] = [];
    let release = () => {};
    const {queue} = rig({
      onChange: ({key}) =>
        new Promise<void>(resolve => {
          heard.push(key);
          release = resolve;
        }),
    });
    queue.changes([change('a'), change('b')]);
    queue.gap({reason: '', lasted: 0, differed: 0});
    queue.changes([change('c')]);
    await settle();
    expect(heard).toEqual(['a']);
    release();
    await settle();
    expect(heard).toEqual(['a', 'b']);
    release();
    await settle();
    expect(heard).toEqual(['a', 'b', 'c']);
  });

  test('[56] has synced only after it went through the changes of the first list', async () => {
    let release = () => {};
    const {queue} = rig({onChanges: () => new Promise<void>(resolve => (release = resolve))});
    queue.changes([change('a')]);
    queue.synced();
    expect(queue.hasSynced()).toBe(false);
    release();
    await settle();
    expect(queue.hasSynced()).toBe(true);
  });

  test('that is removed hears nothing more, also not from its own call', () => {
    const heard: string[] = [];
    const {queue} = rig({
      onChange({key}) {
        heard.push(key);
        queue.remove();
      },
    });
    queue.changes([change('a'), change('b')]);
    queue.changes([change('c')]);
    expect(heard).toEqual(['a']);
  });

  test('may cause changes to itself while it is called: they come after', () => {
    const heard: string[] = [];
    const {queue} = rig({
      onChange({key}) {
        heard.push(`${key} begins`);
        if (key === 'a') queue.changes([change('b')]);
        heard.push(`${key} ends`);
      },
    });
    queue.changes([change('a')]);
    expect(heard).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('with thousands of changes lets others run in between', async () => {
    let calls = 0;
    const {queue} = rig({onChange: () => void calls++});
    queue.changes(Array.from({length: 3500}, (_, at) => change(String(at))));
    expect(calls).toBe(1000);
    await vi.waitFor(() => expect(calls).toBe(3500));
  });
});
