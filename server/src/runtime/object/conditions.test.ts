import {expect, test} from 'vitest';
import {z} from 'zod';
import {defineResource} from '../resource/define-resource.ts';
import {
  conditionsSchema,
  getCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.ts';

const object = () => ({
  apiVersion: 'example.com/v1',
  kind: 'Database',
  metadata: {name: 'a', generation: 3},
  status: {phase: 'x'},
});

test('the transition time changes with the status alone, and an equal condition changes nothing', () => {
  const database = object();
  let now = Date.parse('2026-01-01T00:00:00Z');
  const set = (status: 'True' | 'False', reason: string, message?: string) =>
    setCondition(database, {type: 'Ready', status, reason, message}, () => now);
  expect(set('False', 'Starting')).toBe(true);
  now += 60_000;
  expect(set('False', 'Starting')).toBe(false);
  expect(set('False', 'Waiting', 'for the Secret')).toBe(true);
  expect(getCondition(database, 'Ready')).toEqual({
    type: 'Ready',
    status: 'False',
    reason: 'Waiting',
    message: 'for the Secret',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 3,
  });
  expect(set('True', 'Running')).toBe(true);
  expect(getCondition(database, 'Ready')?.lastTransitionTime).toBe('2026-01-01T00:01:00Z');
  expect(database.status.phase).toBe('x');
});

test('a condition of an older generation is true, but not current', () => {
  const database = object();
  setCondition(database, {type: 'Ready', status: 'True', reason: 'Running'});
  expect(isConditionTrue(database, 'Ready', {current: true})).toBe(true);
  database.metadata.generation = 4;
  expect(isConditionTrue(database, 'Ready')).toBe(true);
  expect(isConditionTrue(database, 'Ready', {current: true})).toBe(false);
  expect(isConditionTrue(database, 'Available')).toBe(false);
  // The same condition about the new generation is a change.
  expect(setCondition(database, {type: 'Ready', status: 'True', reason: 'Running'})).toBe(true);
  expect(removeCondition(database, 'Ready')).toBe(true);
  expect(removeCondition(database, 'Ready')).toBe(false);
});

test('the schema fits a CRD, as a map by type', () => {
  const status = z.object({conditions: conditionsSchema().optional()});
  const resource = defineResource({
    group: 'example.com',
    kind: 'Database',
    versions: {v1: {spec: z.object({}), status}},
  });
  const {conditions} = (resource.definition() as unknown as DefinitionWithStatus).spec.versions[0].schema
    .openAPIV3Schema.properties.status.properties;
  expect(conditions).toMatchObject({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  });
});

interface DefinitionWithStatus {
  spec: {
    versions: [
      {
        schema: {
          openAPIV3Schema: {properties: {status: {properties: {conditions: Record<string, unknown>}}}};
        };
      },
    ];
  };
}
