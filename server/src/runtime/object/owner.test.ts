import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../kube/object.ts';
import {addFinalizer, Finalizers, removeFinalizer} from './finalizer.ts';
import {
  AlreadyOwnedError,
  controllerOf,
  hasOwnerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owner.ts';

function object(kind: string, name: string, namespace?: string): KubeObject {
  return {
    apiVersion: 'example.com/v1',
    kind,
    metadata: {name, uid: `uid-${name}`, ...(namespace ? {namespace} : {})},
  };
}

describe('owners', () => {
  test('[125] the same controller twice is one reference, also in another version; another one is refused', () => {
    const child = object('Child', 'c', 'a');
    const owner = object('Owner', 'o', 'a');
    setControllerReference(owner, child);
    setControllerReference(
      {...owner, apiVersion: 'example.com/v2', metadata: {...owner.metadata, uid: 'new'}},
      child,
    );
    expect(child.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'example.com/v2',
        kind: 'Owner',
        name: 'o',
        uid: 'new',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(() => setControllerReference(object('Owner', 'p', 'a'), child)).toThrow(AlreadyOwnedError);
    setOwnerReference(object('Owner', 'p', 'a'), child);
    expect(child.metadata.ownerReferences).toHaveLength(2);
    expect(controllerOf(child)?.name).toBe('o');
  });

  test('[126] no owner from another namespace, none with a namespace for an object without', () => {
    expect(() => setControllerReference(object('Owner', 'o', 'a'), object('Child', 'c', 'b'))).toThrow(
      'cross-namespace owner references are disallowed',
    );
    expect(() => setOwnerReference(object('Owner', 'o', 'a'), object('Child', 'c'))).toThrow(
      'cluster-scoped resource must not have a namespace-scoped owner',
    );
    setControllerReference(object('Owner', 'o'), object('Child', 'c', 'b'));
  });

  test('removing one that is not there is an error', () => {
    const child = object('Child', 'c', 'a');
    const owner = object('Owner', 'o', 'a');
    setOwnerReference(owner, child);
    expect(hasOwnerReference(owner, child)).toBe(true);
    removeOwnerReference(owner, child);
    expect(hasOwnerReference(owner, child)).toBe(false);
    expect(() => removeOwnerReference(owner, child)).toThrow('has no owner reference');
  });
});

describe('finalizers', () => {
  test('adding and removing say whether anything changed', () => {
    const one = object('Child', 'c', 'a');
    expect([addFinalizer(one, 'x/y'), addFinalizer(one, 'x/y')]).toEqual([true, false]);
    expect([removeFinalizer(one, 'x/y'), removeFinalizer(one, 'x/y')]).toEqual([true, false]);
  });

  test('a registry adds to the living, cleans up after the going, and lets no failure keep the others', async () => {
    const ran: string[] = [];
    const all = new Finalizers()
      .register('example.com/a', () => {
        ran.push('a');
        throw new Error('not yet');
      })
      .register('example.com/b', () => void ran.push('b'));
    const one = object('Child', 'c', 'a');
    expect(await all.finalize(one)).toEqual({updated: true});
    expect(one.metadata.finalizers).toEqual(['example.com/a', 'example.com/b']);
    one.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    await expect(all.finalize(one)).rejects.toThrow('not yet');
    expect(ran).toEqual(['a', 'b']);
    expect(one.metadata.finalizers).toEqual(['example.com/a']);
  });
});
