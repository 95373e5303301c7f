import {describe, expect, test} from 'vitest';
import type {ManagedFieldsEntry} from './object.ts';
import {changedPaths, freshWriter, type Writer, WriterSummary, writerOf} from './writers.ts';

function entry(
  manager: string,
  time: string,
  fieldsV1: Record<string, unknown>,
  more: object = {},
): ManagedFieldsEntry {
  return {manager, operation: 'Update', time, fieldsV1, ...more};
}

const none = () => [];

describe('a summary', () => {
  test('names paths as people write them', () => {
    const [writer] = new WriterSummary().summarise([
      entry('kubectl', '2026-01-01T00:00:00Z', {
        'f:metadata': {'f:labels': {'.': {}, 'f:app': {}, 'f:app.kubernetes.io/name': {}}},
        'f:spec': {
          'f:template': {'f:spec': {'f:containers': {'k:{"name":"web"}': {'.': {}, 'f:image': {}}}}},
          'f:ports': {'k:{"port":80,"protocol":"TCP"}': {'.': {}}},
          'f:finalizers': {'v:"kubernetes"': {}},
        },
      }),
    ]);
    expect(writer).toEqual({
      manager: 'kubectl',
      operation: 'Update',
      time: '2026-01-01T00:00:00Z',
      paths: [
        'metadata.labels.app',
        'metadata.labels["app.kubernetes.io/name"]',
        'spec.template.spec.containers[name=web].image',
        'spec.ports[port=80,protocol=TCP]',
        'spec.finalizers["kubernetes"]',
      ],
    });
  });

  test('shares what is the same between objects', () => {
    const summary = new WriterSummary();
    const fields = () => [entry('a', '1', {'f:data': {'f:x': {}, 'f:y': {}}})];
    const [one] = summary.summarise(fields());
    const [two] = summary.summarise(fields());
    expect(one?.paths).toBe(two?.paths);
  });

  test('of an object without managers, or with broken entries, is still a summary', () => {
    const summary = new WriterSummary();
    expect(summary.summarise(undefined)).toEqual([]);
    expect(summary.summarise([{}, entry('b', '', {'k:not json': {}})])).toEqual([
      {manager: '', operation: '', time: '', paths: []},
      {manager: 'b', operation: 'Update', time: '', paths: ['[not json]']},
    ]);
  });
});

describe('the writer of a change', () => {
  const writer = (manager: string, time: string, ...paths: string[]): Writer => ({
    manager,
    operation: 'Update',
    time,
    paths,
  });

  test('is whose entry is new or different', () => {
    const before = [writer('a', '2', 'data.x'), writer('b', '1', 'data.y')];
    const after = [writer('a', '2', 'data.x'), writer('b', '2', 'data.y', 'data.z')];
    expect(writerOf(after, before, none)?.manager).toBe('b');
    expect(freshWriter(after, before)?.manager).toBe('b');
    expect(freshWriter(before, before)).toBeUndefined();
  });

  test('is whose entry went, when all that it owned was taken away', () => {
    const before = [
      writer('kubectl-create', '1', 'metadata.name'),
      writer('kubectl-label', '2', 'metadata.labels.x'),
    ];
    expect(writerOf(before.slice(0, 1), before, () => ['metadata.labels'])?.manager).toBe('kubectl-label');
  });

  test('in one second is who owns what changed', () => {
    const entries = [writer('a', '2', 'status.phase'), writer('b', '2', 'spec.replicas')];
    expect(writerOf(entries, entries, () => ['spec.replicas'])?.manager).toBe('b');
    expect(writerOf(entries, entries, () => ['status.phase'])?.manager).toBe('a');
  });

  test('of an add is the newest, and nobody where nothing is known', () => {
    expect(writerOf([writer('a', '1'), writer('b', '3'), writer('c', '2')], undefined, none)?.manager).toBe(
      'b',
    );
    expect(writerOf([], undefined, none)).toBeUndefined();
  });
});

test('changed paths are two fields deep and leave versions out', () => {
  const old = {
    metadata: {name: 'a', resourceVersion: '1', labels: {x: '1'}},
    spec: {replicas: 1, paused: true},
    kind: 'A',
  };
  const now = {
    metadata: {name: 'a', resourceVersion: '2', labels: {x: '2'}},
    spec: {replicas: 1},
    kind: 'A',
    data: {},
  };
  expect(changedPaths(old, now)).toEqual(['metadata.labels', 'spec.paused', 'data']);
});
