// A custom resource from one definition, installed on a server: validation, defaults, errors, columns, scale,
// and conversion through a webhook on loopback.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {z} from 'zod';
import type {Scale} from '../../src/built-in-types/index.ts';
import {plainFormulas} from '../../src/cluster/formulas/resource.ts';
import {isApiError} from '../../src/kube/error.ts';
import {isInvalid} from '../../src/runtime/client/error-checks.ts';
import {mergeFrom} from '../../src/runtime/client/patch.ts';
import {defineResource} from '../../src/runtime/resource/define-resource.ts';
import {marks} from '../../src/runtime/resource/schema-markers.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {program} from './client-suite.ts';
import {database, databases, group, namespace, v1, v1alpha1, v1beta1, Webhook} from './database-resource.ts';

export function resourceSuite(server: () => TestServer): void {
  describe('custom resources', () => {
    let own: ReturnType<typeof program>;
    const webhook = new Webhook();
    const causes = (error: unknown) =>
      isApiError(error)
        ? (error.details.causes ?? [])
            // The note that other rules were not evaluated has no field.
            .filter(({field}) => field !== '<nil>')
            .map(({reason, field}) => `${reason} ${field}`)
            .sort()
        : error;

    beforeAll(async () => {
      await webhook.start();
      own = program(server());
      await own.client.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}});
      await own.client.create(databases.definition({conversion: {url: webhook.url, caBundle: webhook.ca}}));
      const served = () =>
        own.mapper.resource(v1).then(
          () => true,
          () => false,
        );
      await eventually('the definition is served', served, {limit: 15_000});
      // The resource is served a moment after discovery lists it.
      const probe = () =>
        own.client
          .with({dryRun: true})
          .create(database('probe', {engine: 'mysql'}))
          .then(
            () => true,
            () => false,
          );
      await eventually('objects of it are taken', probe, {limit: 15_000, every: 50});
    });
    afterAll(async () => {
      webhook.broken = false;
      await own.client.delete(databases.definition({conversion: 'None'}));
      await own.client.delete({apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}});
      await own.stop();
      webhook.stop();
    });

    test('the definition is taken without a complaint and established', async () => {
      const {body, warnings} = await server().client.transport.request<{
        status?: {conditions?: {type: string; status: string; message?: string}[]};
      }>({
        path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/databases.${group}`,
      });
      expect(warnings).toEqual([]);
      const conditions = Object.fromEntries(
        (body.status?.conditions ?? []).map(({type, status}) => [type, status]),
      );
      expect(conditions).toMatchObject({NamesAccepted: 'True', Established: 'True'});
      expect(conditions.NonStructuralSchema ?? 'False').toBe('False');
    });

    test('[133] what has a default is filled in and kept', async () => {
      const made = await own.client.create(
        database('defaults', {
          engine: 'mysql',
          users: [{name: 'a'}],
          extra: {any: [1]},
          port: 'http',
          backup: {to: 'disk', path: '/x'},
        }),
      );
      expect(made.spec).toEqual({
        engine: 'mysql',
        replicas: 1,
        users: [{name: 'a', admin: false}],
        extra: {any: [1]},
        port: 'http',
        backup: {to: 'disk', path: '/x'},
      });
    });

    test('[130] [131] every problem has a cause of its own, all at once', async () => {
      const refused = await own.client
        .create(database('wrong', {engine: 'oracle', replicas: 9, storage: '10'}))
        .catch(error => error);
      expect(isInvalid(refused)).toBe(true);
      expect(causes(refused)).toEqual([
        'FieldValueInvalid spec.replicas',
        'FieldValueInvalid spec.storage',
        'FieldValueNotSupported spec.engine',
      ]);
      expect(causes(await own.client.create(database('missing', {})).catch(error => error))).toEqual([
        'FieldValueRequired spec.engine',
      ]);
    });

    test('[132] an unknown field is dropped, and refused where that was asked for', async () => {
      const made = await own.client.create(database('unknown', {engine: 'mysql', size: 7}));
      expect(made.spec).not.toHaveProperty('size');
      const strict = own.client.with({fieldValidation: 'Strict'});
      await expect(strict.create(database('strict', {engine: 'mysql', size: 7}))).rejects.toSatisfy(error =>
        isApiError(error, 400),
      );
    });

    test('[89] status and scale are apart from the rest', async () => {
      const made = await own.client.create(database('parts', {engine: 'mysql'}));
      const changed = {
        ...deepCopy(made),
        spec: {...made.spec, replicas: 4},
        status: {phase: 'Ready', replicas: 1},
      };
      await own.client.status().update(changed);
      const stored = await own.client.apiReader.get(v1, {namespace, name: 'parts'});
      expect([stored.spec.replicas, stored.status?.phase, stored.metadata.generation]).toEqual([
        1,
        'Ready',
        1,
      ]);
      const scale = await own.client.subResource('scale').get<Scale>(stored);
      await own.client.subResource('scale').update(stored, {body: {...scale, spec: {replicas: 3}}});
      expect((await own.client.apiReader.get(v1, {namespace, name: 'parts'})).spec.replicas).toBe(3);
    });

    test('columns are printed, and a field can be selected by', async () => {
      await own.client.create(database('printed', {engine: 'postgres'}));
      const path = `/apis/${group}/v1/namespaces/${namespace}/databases`;
      const {body} = await server().client.transport.request<{
        columnDefinitions: {name: string}[];
        rows: {cells: unknown[]}[];
      }>({
        path,
        query: {fieldSelector: 'spec.engine=postgres'},
        accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
      });
      expect(body.columnDefinitions.map(({name}) => name)).toEqual(['Name', 'Engine', 'Phase']);
      expect(body.rows.map(({cells}) => cells.slice(0, 2))).toEqual([['printed', 'postgres']]);
    });

    test('[134] what is immutable stays: changed, removed', async () => {
      const made = await own.client.create(database('fixed', {engine: 'mysql', zone: 'a'}));
      const base = deepCopy(made);
      await expect(
        own.client.patch(
          {...deepCopy(made), spec: {...made.spec, engine: 'postgres' as const}},
          mergeFrom(base),
        ),
      ).rejects.toThrow('Value is immutable');
      const {zone: _, ...without} = made.spec;
      await expect(own.client.patch({...deepCopy(made), spec: without}, mergeFrom(base))).rejects.toThrow(
        'zone is immutable',
      );
      await own.client.patch({...deepCopy(made), spec: {...made.spec, replicas: 2}}, mergeFrom(base));
    });

    test('[136] [138] an object is there in every version, whichever it was written in, with one uid and version', async () => {
      const written = await own.client.create(database('versions', {size: 3, engine: 'mysql'}, 'v1alpha1'));
      expect(written).toMatchObject({apiVersion: `${group}/v1alpha1`, spec: {size: 3}});
      const key = {namespace, name: 'versions'};
      const stored = await own.client.apiReader.get(v1, key);
      expect(stored.spec).toEqual({replicas: 3, engine: 'mysql'});
      expect([stored.metadata.uid, stored.metadata.resourceVersion]).toEqual([
        written.metadata.uid,
        written.metadata.resourceVersion,
      ]);
      const beta = await own.client.apiReader.get(v1beta1, key);
      beta.spec.replicas = 4;
      await own.client.update(beta);
      expect((await own.client.apiReader.get(v1alpha1, key)).spec).toEqual({size: 4, engine: 'mysql'});
      const listed = await own.client.apiReader.list(v1alpha1, {namespace});
      expect(
        listed.items.every(
          one => one.apiVersion === `${group}/v1alpha1` && typeof one.spec.size === 'number',
        ),
      ).toBe(true);
    });

    test('a watch in another version brings converted objects', async () => {
      const informer = await own.cache.informer(v1alpha1);
      const seen: unknown[] = [];
      informer.addHandler({onChange: change => void seen.push(change.new?.spec)});
      const made = await own.client.create(database('watched', {engine: 'postgres', replicas: 2}));
      await expect.poll(() => seen, {timeout: 10_000}).toContainEqual({size: 2, engine: 'postgres'});
      made.spec.replicas = 5;
      await own.client.update(made);
      await expect.poll(() => seen, {timeout: 10_000}).toContainEqual({size: 5, engine: 'postgres'});
    });

    test('[135] a schema that became stricter lets old objects be changed elsewhere', async () => {
      const crates = (size: z.ZodType) =>
        defineResource({
          group,
          kind: 'Crate',
          versions: {
            v1: {
              stored: true,
              spec: z.object({
                size,
                color: z.string().optional(),
                parts: z
                  .array(z.object({name: z.string(), weight: size, note: z.string().optional()}))
                  .max(9)
                  .meta(marks({listType: 'map', listMapKeys: ['name']}))
                  .optional(),
              }),
            },
          },
        });
      const [wide, strict] = [crates(z.int()), crates(z.int().max(5))];
      const crate = (name: string, spec: object) => ({
        apiVersion: `${group}/v1`,
        kind: 'Crate',
        metadata: {namespace, name},
        spec,
      });
      const taken = (name: string, spec: object) =>
        own.client
          .with({dryRun: true})
          .create(crate(name, spec))
          .then(
            () => true,
            () => false,
          );
      await own.client.apply(wide.definition(), {fieldOwner: 'test', force: true});
      await eventually('crates are taken', () => taken('probe', {size: 9}), {limit: 15_000, every: 50});
      const old = {
        size: 9,
        parts: [
          {name: 'lid', weight: 7},
          {name: 'side', weight: 8},
        ],
      };
      const made = await own.client.create(crate('old', old));
      await own.client.apply(strict.definition(), {fieldOwner: 'test', force: true});
      const refused = async () => !(await taken('new', {size: 9}));
      await eventually('the stricter schema counts', refused, {limit: 15_000, every: 50});

      const patched = (spec: object) =>
        own.client.patch({...deepCopy(made), spec: {...old, ...spec}}, mergeFrom(deepCopy(made)), {
          dryRun: true,
        });
      expect((await patched({color: 'red'})).spec).toEqual({...old, color: 'red'});
      const [lid, side] = old.parts;
      expect(
        await patched({parts: [{...lid, note: 'loose'}, side]}),
        'an item is known by its key',
      ).toBeTruthy();
      for (const [spec, field] of [
        [{size: 8}, 'spec.size'],
        [{parts: [{...lid, weight: 6}, side]}, 'spec.parts[0].weight'],
        [{parts: [lid, side, {name: 'top', weight: 6}]}, 'spec.parts[2].weight'],
      ] as const)
        expect(causes(await patched(spec).catch(error => error))).toEqual([`FieldValueInvalid ${field}`]);
      await own.client.delete(strict.definition());
    });

    test('the CRD that krtscope prints for its formulas is taken as it is', async () => {
      const taken = await own.client.apply(plainFormulas.definition(), {fieldOwner: 'test', dryRun: true});
      expect(taken.metadata.name).toBe('formulas.krtscope.dev');
    });

    test('[137] a webhook that refuses fails reads of the other version, and only those; it heals', async () => {
      await own.client.create(database('broken', {engine: 'mysql', replicas: 3}));
      webhook.broken = true;
      const key = {namespace, name: 'broken'};
      const refused = await own.client.apiReader.get(v1alpha1, key).catch(error => error);
      expect(isApiError(refused) && [refused.code, refused.message]).toEqual([
        500,
        `conversion webhook for ${group}/v1, Kind=Database failed: out of order`,
      ]);
      // The real server answers lists from objects that its watch converted before.
      if (server().name === 'embedded')
        await expect(own.client.apiReader.list(v1alpha1, {namespace})).rejects.toSatisfy(error =>
          isApiError(error, 500),
        );
      expect((await own.client.apiReader.get(v1, key)).spec.replicas).toBe(3);
      webhook.broken = false;
      expect((await own.client.apiReader.get(v1alpha1, key)).spec.size).toBe(3);
    });
  });
}
