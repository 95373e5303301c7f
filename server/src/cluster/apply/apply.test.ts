// Server-side apply: ownership, conflicts, giving up fields.
import {expect, test} from 'vitest';
import {Api} from '../api.ts';
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import {DirectClient} from '../simulation/direct-client.ts';
import {updateObject, type WriteContext} from '../verbs/write.ts';
import {applyConfig} from './apply.ts';

function rig() {
  const api = new Api({seed: 1, now: () => Date.parse('2026-01-01T00:00:00Z')});
  const client = new DirectClient(api, 'kubectl-create');
  client.create('namespaces', {metadata: {name: 'a'}});
  client.create('configmaps', {metadata: {name: 'm', namespace: 'a'}, data: {x: '1', y: '1'}});
  const resource = api.resources.must('', 'v1', 'configmaps');
  const apply = (manager: string, data: JsonObject, force = false): StoredObject => {
    const write: WriteContext = {
      api,
      resource,
      namespace: 'a',
      subresource: '',
      manager,
      dryRun: false,
      warnings: [],
    };
    const config = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'm'}, data};
    const next = applyConfig(write, api.find(resource, 'a', 'm'), config, force);
    return updateObject(write, 'm', () => next, {applied: true});
  };
  const owners = (object: StoredObject) =>
    Object.fromEntries(
      (object.metadata.managedFields ?? []).map(e => [
        e.manager,
        Object.keys((e.fieldsV1?.['f:data'] ?? {}) as JsonObject),
      ]),
    );
  return {apply, owners};
}

test('applying the same value shares the field', () => {
  const {apply, owners} = rig();
  expect(owners(apply('one', {x: '1'}))).toEqual({one: ['f:x'], 'kubectl-create': ['.', 'f:x', 'f:y']});
});

test('another value of a field somebody owns is a conflict that names the owner and the field', () => {
  const {apply} = rig();
  expect(() => apply('one', {x: '2'})).toThrow(
    'Apply failed with 1 conflict: conflict with "kubectl-create" using v1: .data.x',
  );
});

test('force takes the field over', () => {
  const {apply, owners} = rig();
  const object = apply('one', {x: '2'}, true);
  expect(object.data).toEqual({x: '2', y: '1'});
  expect(owners(object)).toEqual({one: ['f:x'], 'kubectl-create': ['.', 'f:y']});
});

test('what a manager stops stating goes, unless somebody else owns it', () => {
  const {apply} = rig();
  apply('one', {z: '1', x: '1'});
  expect(apply('one', {}).data).toEqual({x: '1', y: '1'});
});

test('an apply that changes nothing keeps the resource version', () => {
  const {apply} = rig();
  const first = apply('one', {z: '1'});
  expect(apply('one', {z: '1'}).metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});
