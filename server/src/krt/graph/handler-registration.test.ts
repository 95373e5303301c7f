// Handlers that are added during an announcement hear every change once.
import {expect, test} from 'vitest';
import {createEngine, newCollection, newStaticCollection} from '../index.ts';

const key = (item: {key: string}) => item.key;

function rig() {
  const engine = createEngine();
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: 0}], {key});
  const rows = newCollection(source, (_, item: {key: string; n: number}) => ({...item}), {key});
  const heard: string[] = [];
  let registered = false;
  const register = () => {
    if (registered) return;
    registered = true;
    rows.register(change => {
      heard.push(`${change.event} ${change.key} ${change.new?.n ?? ''}`.trim());
    });
  };
  // Changes of rows are recorded only while a handler exists.
  rows.register(() => {});
  return {engine, source, rows, heard, register};
}

test('[H7] a handler that registers another one further down makes it hear the batch once', () => {
  const {source, heard, register} = rig();
  source.register(change => {
    if (change.new?.n !== 0) register();
  });
  source.updateObject({key: 'a', n: 1});
  expect(heard).toEqual(['add a 1']);
  source.updateObject({key: 'a', n: 2});
  expect(heard).toEqual(['add a 1', 'update a 2']);
});

test('[H7] one that comes in while its row goes never hears of the row', () => {
  const {source, heard, register} = rig();
  source.register(change => {
    if (change.event === 'delete') register();
  });
  source.deleteObject('a');
  expect(heard).toEqual([]);
});

test('[H7] one that a trace listener registers hears the batch once', () => {
  const {engine, source, heard, register} = rig();
  engine.onTrace(register);
  source.updateObject({key: 'a', n: 1});
  expect(heard).toEqual(['add a 1']);
});

test('[H7] one that unregisters a handler further down keeps it from hearing the batch', () => {
  const {source, rows} = rig();
  const heard: string[] = [];
  const later = rows.register(change => {
    heard.push(change.event);
  });
  source.register(change => {
    if (change.event === 'update') later.unregisterHandler();
  });
  source.updateObject({key: 'a', n: 1});
  expect(heard).toEqual(['add']);
});

test('[H7] a trace listener that comes in a handler hears the next batch first', () => {
  const {engine, source} = rig();
  const sequences: number[] = [];
  let listening = false;
  source.register(change => {
    if (change.event !== 'update' || listening) return;
    listening = true;
    engine.onTrace(trace => sequences.push(trace.sequence));
  });
  source.updateObject({key: 'a', n: 1});
  expect(sequences).toEqual([]);
  source.updateObject({key: 'a', n: 2});
  expect(sequences).toHaveLength(1);
});

test('[H7] a handler of batches that saw all of a batch in its replay is not called for nothing', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<{key: string}>(engine, []);
  items.register(() => {});
  const heard: number[] = [];
  const leave = engine.onTrace(() => {
    leave();
    items.registerBatch(changes => void heard.push(changes.length), true);
  });
  items.updateObject({key: 'a'});
  expect(heard).toEqual([1]);
});
