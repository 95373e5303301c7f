// After the batch behind a row has rolled off, a question about now still has an answer.

import {objectName} from '@krtscope/shared/object-name.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {fetch, fetchOne, filterKey, newCollection} from '../../krt/index.ts';

const service = (name: string, app: string) => ({
  metadata: {name, namespace: 'shop'},
  spec: {selector: {app}, ports: [{name: 'http', port: 80, targetPort: 8080}]},
});
const slice = (ip: string) => ({
  metadata: {name: 'web-1', namespace: 'shop', labels: {'kubernetes.io/service-name': 'web'}},
  ports: [{name: 'http', port: 8080}],
  endpoints: [{addresses: [ip], conditions: {ready: true}}],
});

/** A shop whose first batches have rolled off, because another namespace was written many times since. */
function old(): TestGraphHost {
  const r = createTestGraphHost(undefined, {runs: 60, megabytes: 64});
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('web', 'web')],
    EndpointSlices: [slice('10.0.0.1')],
    Pods: [pod('web-1', {app: 'web'}), pod('typo-1', {app: 'wbe'})],
  });
  const made = r.records.newest();
  for (let i = 0; r.records.oldest() <= made; i++)
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': String(i)})]});
  return r;
}

test('why and why not of every row there is are answered', () => {
  const r = old();
  const rows = r.records
    .collections()
    .flatMap(({name}) => [...r.records.keys(name)].map(key => ({collection: name, key})));
  expect(rows.map(({collection}) => collection)).toContain('Backends');
  for (const row of rows) {
    expect(r.ask<Why>({ask: 'why', ...row}).sentence, row.collection).toContain(objectName(row));
    expect(r.ask<Origin>({ask: 'origin', ...row}).sentence, row.collection).toContain(objectName(row));
    for (const expected of rows) {
      const {sentence} = r.ask<{sentence: string}>({ask: 'why-not', ...row, expected});
      expect(sentence.length, `${row.collection} ${expected.collection}`).toBeGreaterThan(0);
    }
  }
});

test('what is missed now is told with its mend, although the write is older than what is kept', () => {
  const r = old();
  const asked = {ask: 'origin' as const, collection: 'WorkloadServices', key: 'shop/typo-1', input: true};
  const answer = r.ask<Origin>(asked);
  expect(answer.write).toBeNull();
  expect(answer.sentence).toMatch(
    /^No Service selects Pod shop\/typo-1: .* What made it so is older than the recording, which begins at #\d+\.$/,
  );
  expect(answer.sentence).toContain('it has app=wbe, and Service shop/web selects app=web');
  expect(answer.sentence).toContain('WorkloadService shop/typo-1 has no row');
  expect(answer.fix).toContain('label pod typo-1 app=web');
  expect(
    r.ask<Origin>({ask: 'origin', collection: 'Workloads', key: 'shop/typo-1', field: 'services'}).sentence,
  ).toContain('Service shop/web selects app=web');
});

test('an input that has rows is asked about by its row, never said to have none', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('web', 'web')],
    Pods: [pod('web-1', {app: 'web'})],
  });
  const ask = (collection: string, key: string) =>
    r.ask<Origin>({ask: 'origin', collection, key, input: true}).sentence;
  expect(ask('WorkloadServices', 'shop/web-1')).toContain('WorkloadService shop/web-1/web was added');
  expect(r.ask<Origin>({ask: 'origin', collection: 'ClusterSummary', key: 'static'}).sentence).not.toContain(
    'has no row',
  );
});

test('a row that counts objects goes back to one that came, not to a write that it did not read', () => {
  const r = createTestGraphHost({
    sources: ['Pods', 'Services'],
    build: (_, source) => {
      const services = source('Services');
      newCollection(
        source('Pods'),
        (ctx, one) => ({
          metadata: (one as HostTestObject).metadata,
          services: fetch(ctx, services).length,
          named: fetchOne(ctx, services, filterKey('shop/nothing')) ?? null,
        }),
        {name: 'Counted'},
      );
    },
  });
  r.write({Services: [service('web', 'web')]});
  const scraped = service('web', 'web');
  r.write({Services: [{...scraped, metadata: {...scraped.metadata, annotations: {scraped: 'now'}}}]});
  r.write({Pods: [pod('a')]});
  r.sync();
  const origin = (field: string) =>
    r.ask<Origin>({ask: 'origin', collection: 'Counted', key: 'shop/a', field}).sentence;
  expect(origin('services')).not.toContain('scraped');
  expect(origin('services')).toMatch(/Service shop\/web already existed /);
  // Without a known write the sentence still has a subject.
  expect(origin('named')).toMatch(/^Service shop\/nothing does not exist\. /);
});
