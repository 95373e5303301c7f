import {describe, expect, test} from 'vitest';
import type {ManagedFieldsEntry} from '../object.ts';
import {latestNewWriter, type Writer, WriterSummary, writerOf, writtenPaths} from './field-writers.ts';

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
    // The same write to many objects is one writer.
    expect(one).toBe(two);
    const [later] = summary.summarise([entry('a', '2', {'f:data': {'f:x': {}, 'f:y': {}}})]);
    expect(later).toMatchObject({manager: 'a', operation: 'Update', time: '2'});
    const [status] = summary.summarise([entry('a', '2', {'f:data': {}}, {subresource: 'status'})]);
    expect(status).toMatchObject({manager: 'a', subresource: 'status', paths: ['data']});
    expect(summary.summarise(fields())[0]).toEqual(one);
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
    expect(latestNewWriter(after, before)?.manager).toBe('b');
    expect(latestNewWriter(before, before)).toBeUndefined();
  });

  test('is never whose label was taken away: the API server notes nobody for a removal', () => {
    const before = [
      writer('kubectl-create', '1', 'metadata.name'),
      writer('argocd', '2', 'metadata.labels.x', 'metadata.labels.y'),
    ];
    const written = () =>
      writtenPaths(
        {metadata: {name: 'a', labels: {x: '1', y: '2'}}},
        {metadata: {name: 'a', labels: {y: '2'}}},
      );
    const lost = [before[0]!, writer('argocd', '2', 'metadata.labels.y')];
    expect(writerOf(lost, before, written)).toBeUndefined();
    expect(writerOf(before.slice(0, 1), before, written)).toBeUndefined();
    expect(latestNewWriter(lost, before)).toBeUndefined();
    // A writer that removes one label and sets another is known by the other one.
    const both = [...lost, writer('kubectl-edit', '3', 'metadata.labels.z')];
    expect(writerOf(both, before, written)?.manager).toBe('kubectl-edit');
    // A manager that applies without an earlier label has a newer entry.
    const applied = [before[0]!, writer('argocd', '4', 'metadata.labels.y')];
    expect(writerOf(applied, before, written)?.manager).toBe('argocd');
  });

  test('is not who is left with an empty map where another took its last entry over', () => {
    const before = [writer('helm', '1', 'metadata.labels.app', 'spec.x'), writer('argocd', '2', 'data.a')];
    const now = [
      writer('helm', '1', 'metadata.labels', 'spec.x'),
      writer('argocd', '2', 'data.a', 'metadata.labels.app'),
    ];
    expect(writerOf(now, before, () => ['metadata.labels.app'])?.manager).toBe('argocd');
    // The same if the newest entry is the one that lost the field.
    const later = now.map(one => (one.manager === 'helm' ? {...one, time: '3'} : one));
    const first = before.map(one => (one.manager === 'helm' ? {...one, time: '3'} : one));
    expect(writerOf(later, first, () => ['metadata.labels.app'])?.manager).toBe('argocd');
  });

  test('is nobody for what no manager owns, such as the time of a deletion', () => {
    const entries = [writer('kubelet', '2', 'status.phase')];
    const written = () =>
      writtenPaths({metadata: {name: 'a'}}, {metadata: {name: 'a', deletionTimestamp: '3'}});
    expect(writerOf(entries, entries, written)).toBeUndefined();
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

test('written paths are those of what is new, lists as a whole, and leave versions and removals out', () => {
  const old = {
    metadata: {name: 'a', resourceVersion: '1', labels: {x: '1', y: '1'}},
    spec: {replicas: 1, paused: true, ports: [{port: 1}]},
    kind: 'A',
  };
  const now = {
    metadata: {name: 'a', resourceVersion: '2', labels: {x: '2', 'a.b/c': '3'}},
    spec: {replicas: 1, ports: [{port: 2}]},
    kind: 'A',
    data: {},
  };
  expect(writtenPaths(old, now)).toEqual([
    'metadata.labels.x',
    'metadata.labels["a.b/c"]',
    'spec.ports',
    'data',
  ]);
});
