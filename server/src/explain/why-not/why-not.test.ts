import type {WhyNot} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import type {LiveGraphBuilder} from '../../engine/host/live-graph/live-graph.ts';
import {createCatalogShop} from '../../engine/host/query/testing-catalog.ts';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {fetch, filterGeneric, filterIndex, filterKey, newCollection, newIndex} from '../../krt/index.ts';

const whyNot = (r: TestGraphHost, collection: string, key: string, expected: string, name: string) =>
  r.ask<WhyNot>({ask: 'why-not', collection, key, expected: {collection: expected, key: name}});

test('who wrote the object last is not blamed for a label that he does not own', () => {
  const r = createCatalogShop({
    manager: 'kube-controller-manager',
    operation: 'Update',
    paths: ['metadata.generateName'],
  });
  const {nearest} = whyNot(r, 'ServiceInfos', 'shop/catalog', 'Pods', 'shop/catalog-c').evidence;
  expect(nearest?.note).toBe('2 siblings of ReplicaSet catalog-5d have app=catalog');
});

test('looked elsewhere: the predicate clause by clause, the failing one marked, the nearest miss and a command', () => {
  const answer = whyNot(createCatalogShop(), 'ServiceInfos', 'shop/catalog', 'Pods', 'shop/catalog-c');
  expect(answer.verdict).toBe('looked-elsewhere');
  expect(answer.sentence).toBe(
    'Service shop/catalog does not select Pod shop/catalog-c: it selects app=catalog, and Pod shop/catalog-c has app=catlog. It did not match before either, so nothing ran.',
  );
  expect(answer.evidence.clauses.map(c => [c.clause, c.wants, c.new, c.matchesNew])).toEqual([
    ['metadata.namespace', '= shop', 'shop', true],
    ['labels.app', '= catalog', 'catlog', false],
    ['labels.tier', '= backend', 'backend', true],
  ]);
  expect(answer.evidence.nearest).toEqual({
    wants: 'catalog',
    has: 'catlog',
    distance: 1,
    note: '2 siblings of ReplicaSet catalog-5d have app=catalog; last written by kubectl-edit',
  });
  expect(answer.evidence.command).toBe('kubectl -n shop label pod catalog-c app=catalog --overwrite');
  expect(answer.evidence.ruled.filter(x => x.held).map(x => x.verdict)).toEqual(['looked-elsewhere']);
  expect(answer.evidence.reacted.find(x => x.collection === 'Workloads')).toMatchObject({
    runs: 1,
    outcome: 'added',
  });
  expect(answer.evidence.run?.fetches[0]?.filter).toContain('app=catalog');
});

test('looked elsewhere: an object that selects by a label the asking one does not carry', () => {
  const answer = whyNot(createCatalogShop(), 'Workloads', 'shop/catalog-c', 'Services', 'shop/catalog');
  expect(answer.verdict).toBe('looked-elsewhere');
  expect(answer.evidence.clauses.find(c => c.matchesNew === false)).toMatchObject({
    clause: 'selector.app',
    wants: '= catlog',
    new: 'catalog',
  });
  expect(answer.evidence.command).toBe('kubectl -n shop label pod catalog-c app=catalog --overwrite');
});

test('two values that nobody can have mixed up get no command', () => {
  const r = createCatalogShop();
  r.write({Services: [service('recommendations', {app: 'recommendations'})]});
  const {evidence} = whyNot(r, 'ServiceInfos', 'shop/recommendations', 'Pods', 'shop/catalog-a');
  expect(evidence.nearest).toMatchObject({wants: 'recommendations', has: 'catalog'});
  expect(evidence.command).toBeUndefined();
});

test('looked elsewhere goes up the primary inputs to the item that looks', () => {
  const r = createCatalogShop();
  r.write({Namespaces: [namespace('other')]});
  const key = 'shop/catalog-a/catalog';
  const answer = whyNot(r, 'WorkloadServices', key, 'Namespaces', 'other');
  expect(answer.verdict).toBe('looked-elsewhere');
  expect(answer.sentence).toContain(
    'Workload shop/catalog-a does not read Namespace other: it reads Namespace shop.',
  );
  expect(answer.sentence).toContain(`WorkloadService ${key} is computed from Workload shop/catalog-a.`);
});

test('did not look: no fetch of that collection is recorded', () => {
  const answer = whyNot(createCatalogShop(), 'Workloads', 'shop/catalog-a', 'ConfigMaps', 'shop/x');
  expect(answer.verdict).toBe('did-not-look');
  expect(answer.sentence).toBe(
    'Workload shop/catalog-a does not read ConfigMaps. Its last run read Services, Namespaces and ReplicaSets.',
  );
  expect(answer.evidence.looked.map(f => f.collection)).toEqual(['Services', 'Namespaces', 'ReplicaSets']);
});

test('equal: it ran, and what changed is not what the formula reads', () => {
  const r = createCatalogShop();
  r.write({Namespaces: [namespace('shop', {team: 'x'})]});
  const answer = whyNot(r, 'Workloads', 'shop/catalog-a', 'Namespaces', 'shop');
  expect(answer.verdict).toBe('equal');
  expect(answer.sentence).toContain(
    'What changed was metadata.labels.team, which the formula does not read.',
  );
  expect(answer.evidence.run?.outcome).toBe('equal');
});

test('reacted: it has not changed since, and the item did react to that', () => {
  const r = createCatalogShop();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]});
  const answer = whyNot(r, 'Workloads', 'shop/catalog-a', 'Namespaces', 'shop');
  expect(answer.verdict).toBe('reacted');
  expect(answer.sentence).toMatch(
    /^Workload shop\/catalog-a did react: Namespace shop last changed in #\d+, and Workload shop\/catalog-a reacted in run #\S+ \(changed\)\.$/,
  );
  expect(answer.evidence.last).toMatchObject({collection: 'Namespaces', key: 'shop'});
});

test('waiting: the chain of holders down to the source that does not answer', () => {
  const r = createTestGraphHost();
  r.sync('Namespaces');
  r.report('Namespaces', {state: 'forbidden', synced: false, reason: '403 for system:anonymous'});
  r.write({Pods: [pod('web-1')]});
  const answer = whyNot(r, 'Workloads', 'shop/web-1', 'Pods', 'shop/web-1');
  expect(answer.verdict).toBe('waiting');
  expect(answer.evidence.holders.at(-1)).toEqual({
    collection: 'Namespaces',
    state: 'forbidden',
    reason: '403 for system:anonymous',
  });
  expect(answer.sentence).toContain('waits for Namespaces (forbidden: 403 for system:anonymous)');
});

interface Setting {
  metadata: {name: string};
  mode: string;
  ref?: string;
}

/** The input makes the formula discard, fail, look up by index or by function, or return nothing. */
const odd: LiveGraphBuilder = {
  sources: ['Settings', 'Targets'],
  build: (_, source) => {
    const settings = source('Settings');
    const targets = source('Targets');
    const byZone = newIndex(targets, 'zone', t => [String((t as {zone?: string}).zone)]);
    newCollection(
      settings,
      (ctx, item) => {
        const {metadata, mode, ref = ''} = item as Setting;
        if (mode === 'off') return undefined;
        if (mode === 'index') fetch(ctx, targets, filterIndex(byZone, ref));
        else if (mode === 'generic')
          fetch(
            ctx,
            targets,
            filterGeneric(function isBig(t) {
              return (t as {size?: number}).size! > 5;
            }),
          );
        else fetch(ctx, targets, filterKey(ref));
        if (mode === 'discard') ctx.discardResult();
        if (mode === 'fail') throw new Error('no such mode');
        return {metadata, mode};
      },
      {name: 'Results'},
    );
  },
};

const setting = (name: string, mode: string, ref?: string): HostTestObject => ({
  metadata: {name},
  mode,
  ...(ref ? {ref} : {}),
});

test('discarded and failed runs say that their result was not taken', () => {
  const r = createTestGraphHost(odd);
  r.sync();
  r.write({Targets: [{metadata: {name: 't'}}], Settings: [setting('a', 'key', 't')]});
  r.write({Settings: [setting('a', 'discard', 't')]});
  expect(whyNot(r, 'Results', 'a', 'Settings', 'a')).toMatchObject({verdict: 'discarded'});
  r.write({Settings: [setting('a', 'fail', 't')]});
  const failed = whyNot(r, 'Results', 'a', 'Settings', 'a');
  expect(failed.verdict).toBe('failed');
  expect(failed.evidence.ruled.find(x => x.held)).toEqual({
    verdict: 'failed',
    held: true,
    reason: expect.stringMatching(/^run \S+ failed$/),
  });
  expect(failed.sentence).toContain(' with no such mode; the last good rows stay');
});

test('indexes and functions are told from what the fetch found', () => {
  const r = createTestGraphHost(odd);
  r.sync();
  r.write({
    Targets: [
      {metadata: {name: 'x'}, zone: 'a', size: 9},
      {metadata: {name: 'y'}, zone: 'b', size: 1},
    ],
    Settings: [setting('i', 'index', 'a'), setting('g', 'generic')],
  });
  const index = whyNot(r, 'Results', 'i', 'Targets', 'y');
  expect(index.evidence.clauses).toMatchObject([{clause: 'index zone', wants: '= a', matchesNew: false}]);
  const generic = whyNot(r, 'Results', 'g', 'Targets', 'y');
  expect(generic.evidence.clauses).toMatchObject([{clause: 'isBig', wants: 'true', matchesNew: false}]);
  expect(whyNot(r, 'Results', 'g', 'Targets', 'x').verdict).toBe('reacted');
});

const ownedBy = (thing: HostTestObject, name: string): HostTestObject => ({
  ...thing,
  metadata: {
    ...thing.metadata,
    ownerReferences: [{kind: 'ReplicaSet', name, uid: 'u1', controller: true}],
  },
});

test('what matched until it was changed says when, by whom, and which run answered that', () => {
  const r = createCatalogShop();
  r.write(
    {Services: [service('catalog', {app: 'katalog', tier: 'backend'})]},
    {manager: 'kubectl-patch', operation: 'Update'},
  );
  const answer = whyNot(r, 'Workloads', 'shop/catalog-a', 'Services', 'shop/catalog');
  expect(answer.verdict).toBe('looked-elsewhere');
  expect(answer.sentence).toMatch(
    /^Service shop\/catalog does not select Pod shop\/catalog-a: it selects app=katalog, and Pod shop\/catalog-a has app=catalog\. It matched until #\d+, when it changed spec\.selector\.app from catalog to katalog, written by kubectl-patch; run \S+ followed \(changed\)\.$/,
  );
  expect(answer.evidence.clauses.filter(c => c.matchesNew === false).map(c => c.clause)).toEqual([
    'selector.app',
  ]);
  // A later change of another object does not hide the time at which it stopped.
  const pods = () => ownedBy(pod('catalog-a', {app: 'catalgo', tier: 'backend'}), 'catalog-5d');
  r.write({Services: [service('catalog', {app: 'catalog', tier: 'backend'})]});
  r.write({Pods: [pods()]}, {manager: 'kubectl-label', operation: 'Update'});
  r.write({Pods: [{...pods(), extra: 1}]});
  expect(whyNot(r, 'ServiceInfos', 'shop/catalog', 'Pods', 'shop/catalog-a').sentence).toMatch(
    /It matched until #\d+, when it changed label app from catalog to catalgo, written by kubectl-label; run \S+ followed \(changed\)\.$/,
  );
});

test('a selector that is off is to be mended itself, not the Pods that all agree', () => {
  const r = createCatalogShop();
  r.write({Services: [service('shelf', {app: 'catalogue'})]});
  const {evidence} = whyNot(r, 'ServiceInfos', 'shop/shelf', 'Pods', 'shop/catalog-a');
  expect(evidence.nearest?.note).toContain('1 sibling of ReplicaSet catalog-5d has app=catalog, too');
  expect(evidence.command).toBe(
    `kubectl -n shop patch service shelf --type=merge -p '{"spec":{"selector":{"app":"catalog"}}}'`,
  );
});

test('what a service asked for in an earlier life is not its answer now', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Services: [service('s', {app: 'x'})]});
  r.write({Pods: [pod('p', {app: 'x'})]});
  r.write({Services: ['shop/s']});
  r.write({Services: [service('s', {app: 'y'})]});
  const answer = whyNot(r, 'ServiceInfos', 'shop/s', 'Pods', 'shop/p');
  expect(answer.verdict).toBe('looked-elsewhere');
  expect(answer.sentence).toContain('it selects app=y, and Pod shop/p has app=x.');
});

test('a row that is gone says what took it away', () => {
  const r = createCatalogShop();
  r.write({Services: ['shop/catalog']});
  const answer = whyNot(r, 'ServiceInfos', 'shop/catalog', 'Pods', 'shop/catalog-a');
  expect(answer.verdict).toBe('gone');
  expect(answer.sentence).toMatch(
    /^ServiceInfo shop\/catalog no longer exists: it was deleted in #\d+ because Service shop\/catalog was deleted\.$/,
  );
  // The input exists, so the run that removed the row is the answer.
  const row = whyNot(r, 'WorkloadServices', 'shop/catalog-a/catalog', 'Workloads', 'shop/catalog-a');
  expect(row.sentence).not.toContain('No run of');
  const reacted = whyNot(r, 'Workloads', 'shop/catalog-a', 'Services', 'shop/catalog');
  expect(reacted.verdict).toBe('reacted');
  expect(reacted.sentence).toMatch(
    /^Workload shop\/catalog-a did react: Service shop\/catalog was deleted in #\d+, and Workload shop\/catalog-a reacted in run #\S+ \(changed\)\.$/,
  );
});

test('a row of an index answers for the item in it that was meant, and for none that it does not hold', () => {
  const r = createCatalogShop();
  r.write({Pods: [pod('far', {app: 'far'}, {spec: {nodeName: 'n2', containers: []}})]});
  const own = whyNot(r, 'WorkloadsByNode', 'n1', 'Pods', 'shop/catalog-b');
  expect(own.verdict).toBe('reacted');
  expect(own.sentence).toContain('WorkloadsByNode n1 did react: ');
  const other = whyNot(r, 'WorkloadsByNode', 'n1', 'Pods', 'shop/far');
  expect(other.sentence).toBe(
    'WorkloadsByNode n1 has 3 items, and Workload shop/far, which is computed from Pod shop/far, is not one of them. It is in WorkloadsByNode n2.',
  );
  expect(whyNot(r, 'WorkloadsByNode', 'n1', 'Workloads', 'shop/far').sentence).toBe(
    'WorkloadsByNode n1 has 3 items, and Workload shop/far is not one of them. It is in WorkloadsByNode n2.',
  );
  r.write({Pods: [pod('late', {app: 'late'}, {phase: 'Pending', spec: {nodeName: 'n1', containers: []}})]});
  expect(whyNot(r, 'WorkloadsByNode', 'n1', 'Pods', 'shop/late').sentence).toBe(
    'WorkloadsByNode n1 has 3 items, and none of them is computed from Pod shop/late: Workloads has no row for it.',
  );
  expect(whyNot(r, 'WorkloadsByNode', 'n1', 'Nodes', 'n1').sentence).toBe(
    'WorkloadsByNode n1 does not read Nodes: it is made of Workloads only, and none of its parts reads it.',
  );
});

test('of the items in an index row the one that came nearest is named, and without an expectation the one that changed last', () => {
  const r = createCatalogShop();
  r.write({Services: [service('catlo', {app: 'catlo', tier: 'backend'})]});
  expect(whyNot(r, 'WorkloadsByNode', 'n1', 'Services', 'shop/catlo').sentence).toMatch(
    /^Service shop\/catlo does not select Pod shop\/catalog-c: /,
  );
  for (const name of ['catalog-b', 'catalog-a', 'catalog-c']) {
    r.write({Pods: [pod(name, {app: 'catalog', tier: 'backend', turn: name}, {ip: '10.0.0.77'})]});
    const {expected} = r.ask<WhyNot>({ask: 'why-not', collection: 'WorkloadsByNode', key: 'n1'});
    expect(expected).toEqual({collection: 'Workloads', key: `shop/${name}`});
  }
});

test('who returned before it looked says what most likely made it', () => {
  const r = createCatalogShop();
  r.write({Pods: [pod('catalog-d', {app: 'catalog'}, {phase: 'Pending'})]});
  expect(whyNot(r, 'Workloads', 'shop/catalog-d', 'Services', 'shop/catalog').sentence).toContain(
    'Its last run fetched nothing. Most likely because status.phase is Pending',
  );
});

test('the buckets and functions of a living engine say themselves what they have', () => {
  const r = createTestGraphHost(odd);
  r.sync();
  r.write({Targets: [{metadata: {name: 'y'}, zone: 'b', size: 1}], Settings: [setting('i', 'index', 'a')]});
  const {evidence, sentence} = whyNot(r, 'Results', 'i', 'Targets', 'y');
  expect(evidence.clauses).toMatchObject([{clause: 'index zone', wants: '= a', new: 'b', matchesNew: false}]);
  expect(sentence).toContain(
    'Result i does not read Target y: it looks for index zone a, and Target y has b',
  );
});

test('those who had not synced when something came are not said to have missed it', () => {
  const r = createTestGraphHost();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('web', {app: 'web'})],
    Pods: [pod('a', {app: 'b'})],
  });
  r.sync();
  const {evidence} = whyNot(r, 'ServiceInfos', 'shop/web', 'Pods', 'shop/a');
  expect(evidence.reacted.map(x => x.filter)).not.toContain('no recorded filter matched');
});

test('a Pod of a controller gets no command of its own: its template or the selector is to be changed', () => {
  const withController = (name: string, labels: Record<string, string>): HostTestObject =>
    ownedBy(pod(name, labels), 'shelf-5d');
  const replicaSet = (selector: Record<string, string>): HostTestObject => ({
    metadata: {
      name: 'shelf-5d',
      namespace: 'shop',
      ownerReferences: [{kind: 'Deployment', name: 'shelf', uid: 'd', controller: true}],
    },
    spec: {selector: {matchLabels: selector}},
  });
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('shelf', {app: 'shelf'})],
    ReplicaSets: [replicaSet({tier: 'x'})],
    Pods: [withController('shelf-1', {app: 'shelv', tier: 'x'})],
  });
  const command = () => whyNot(r, 'ServiceInfos', 'shop/shelf', 'Pods', 'shop/shelf-1').evidence.command;
  expect(command()).toBe(
    `kubectl -n shop patch deployment shelf --type=merge -p '{"spec":{"template":{"metadata":{"labels":{"app":"shelf"}}}}}'`,
  );
  // The Deployment selects by that label, so its template must keep it.
  r.write({ReplicaSets: [replicaSet({app: 'shelv'})]});
  expect(command()).toBe(
    `kubectl -n shop patch service shelf --type=merge -p '{"spec":{"selector":{"app":"shelv"}}}'`,
  );
});

test('a label that is not set has no distance from the wanted value', () => {
  const r = createCatalogShop();
  r.write({Pods: [pod('bare', {tier: 'backend'})]});
  const {evidence, sentence} = whyNot(r, 'ServiceInfos', 'shop/catalog', 'Pods', 'shop/bare');
  expect(evidence.nearest).toEqual({wants: 'catalog', has: 'not set'});
  expect(sentence).toContain('it selects app=catalog, and Pod shop/bare has no label app.');
});
