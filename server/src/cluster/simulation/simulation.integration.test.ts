// The simulated cluster over HTTPS: rollouts, endpoints, jobs, owners, namespaces, custom resources.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {at, listAt, stringAt} from '../object/stored-object.ts';
import {type EmbeddedCluster, startCluster} from '../start.ts';
import {eventually, TestHttpsClient} from '../testing-https-client.ts';

let cluster: EmbeddedCluster;
let wire: TestHttpsClient;

beforeAll(async () => {
  cluster = await startCluster({shop: false, pace: 0});
  wire = new TestHttpsClient(cluster);
});

afterAll(() => cluster.stop());

const template = (image: string) => ({
  metadata: {labels: {app: 'web'}},
  spec: {containers: [{name: 'c', image}]},
});
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

async function readyPods(image: string): Promise<number> {
  const {body} = await wire.get('/api/v1/namespaces/default/pods?labelSelector=app%3Dweb');
  const pods = listAt(body, 'items').filter(
    pod => stringAt(listAt(pod, 'spec', 'containers')[0], 'image') === image,
  );
  const ready = pods.filter(pod =>
    listAt(pod, 'status', 'conditions').some(
      c => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True',
    ),
  );
  return ready.filter(pod => at(pod, 'metadata', 'deletionTimestamp') === undefined).length;
}

describe('a Deployment', () => {
  test('makes Pods that run, at pace 0 too, and its Service has their addresses', async () => {
    const spec = {replicas: 3, selector: {matchLabels: {app: 'web'}}, template: template('web:1')};
    expect((await wire.post(DEPLOYMENTS, {metadata: {name: 'web'}, spec})).code).toBe(201);
    await wire.post('/api/v1/namespaces/default/services', {
      metadata: {name: 'web'},
      spec: {selector: {app: 'web'}, ports: [{port: 80}]},
    });
    await eventually(async () => expect(await readyPods('web:1')).toBe(3));
    await eventually(async () => {
      const {body} = await wire.get(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name%3Dweb',
      );
      const endpoints = listAt(listAt(body, 'items')[0], 'endpoints');
      expect(endpoints.filter(e => at(e, 'conditions', 'ready') === true)).toHaveLength(3);
    });
  });

  test('rolls a new template out and reports it', async () => {
    await wire.patch(`${DEPLOYMENTS}/web`, {spec: {template: template('web:2')}});
    await eventually(async () => {
      expect([await readyPods('web:1'), await readyPods('web:2')]).toEqual([0, 3]);
      const {body} = await wire.get(`${DEPLOYMENTS}/web`);
      expect(at(body, 'status', 'updatedReplicas')).toBe(3);
      expect(stringAt(body, 'metadata', 'annotations', 'deployment.kubernetes.io/revision')).toBe('2');
    });
  });

  test('deleted in the foreground goes after its Pods', async () => {
    await wire.delete(`${DEPLOYMENTS}/web?propagationPolicy=Foreground`);
    await eventually(async () => {
      expect((await wire.get(`${DEPLOYMENTS}/web`)).code).toBe(404);
      expect(
        listAt((await wire.get('/api/v1/namespaces/default/pods?labelSelector=app%3Dweb')).body, 'items'),
      ).toEqual([]);
    });
  });
});

test('a Job completes', async () => {
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const pod = {spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'x'}]}};
  await wire.post(jobs, {metadata: {name: 'once'}, spec: {completions: 2, parallelism: 2, template: pod}});
  await eventually(async () => {
    const {body} = await wire.get(`${jobs}/once`);
    const conditions = listAt(body, 'status', 'conditions').map(c => stringAt(c, 'type'));
    expect([at(body, 'status', 'succeeded'), conditions.includes('Complete')]).toEqual([2, true]);
  });
});

describe('a Pod that cannot run', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  const eventsOf = async (name: string) => {
    const {body} = await wire.get(
      `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D${name}`,
    );
    return listAt(body, 'items').map(one => `${stringAt(one, 'type')} ${stringAt(one, 'reason')}`);
  };
  const waiting = async (name: string) => {
    const {body} = await wire.get(`${PODS}/${name}`);
    return [
      stringAt(body, 'status', 'phase'),
      at(listAt(body, 'status', 'containerStatuses')[0], 'state', 'waiting', 'reason'),
    ];
  };

  test.each([
    ['registry', 'invalid.example/web:1', 'lookup invalid.example: no such host'],
    ['tag', 'shop/web:missing', 'docker.io/shop/web:missing: not found'],
  ])(
    'with a bad %s goes to ErrImagePull and ImagePullBackOff, and runs after its image is fixed',
    async (name, image, why) => {
      const spec = {containers: [{name: 'c', image}]};
      await wire.post(PODS, {metadata: {name}, spec});
      await eventually(async () => expect(await waiting(name)).toEqual(['Pending', 'ImagePullBackOff']));
      await eventually(async () =>
        expect(await eventsOf(name)).toEqual(
          expect.arrayContaining(['Normal Scheduled', 'Normal Pulling', 'Warning Failed', 'Normal BackOff']),
        ),
      );
      const {body} = await wire.get(`${PODS}/${name}`);
      const state = listAt(body, 'status', 'containerStatuses')[0];
      expect(stringAt(state, 'state', 'waiting', 'message')).toMatch(
        /^Back-off pulling image .*: ErrImagePull: /,
      );
      expect(stringAt(state, 'state', 'waiting', 'message')).toContain(why);
      const fix = [{op: 'replace', path: '/spec/containers/0/image', value: 'web:1'}];
      await wire.send('PATCH', `${PODS}/${name}`, JSON.stringify(fix), 'application/json-patch+json');
      await eventually(async () => expect((await waiting(name))[0]).toBe('Running'));
      await wire.delete(`${PODS}/${name}`);
    },
  );

  test('because no node has the CPUs stays Pending, and FailedScheduling says so', async () => {
    const resources = {requests: {cpu: '500'}};
    await wire.post(PODS, {
      metadata: {name: 'huge'},
      spec: {containers: [{name: 'c', image: 'x', resources}]},
    });
    await eventually(async () => {
      const {body} = await wire.get(`${PODS}/huge`);
      const [scheduled] = listAt(body, 'status', 'conditions');
      expect([stringAt(body, 'status', 'phase'), stringAt(scheduled, 'reason')]).toEqual([
        'Pending',
        'Unschedulable',
      ]);
      expect(stringAt(scheduled, 'message')).toMatch(
        /^0\/3 nodes are available: 3 Insufficient cpu\. preemption: /,
      );
    });
    await eventually(async () => expect(await eventsOf('huge')).toEqual(['Warning FailedScheduling']));
    await wire.delete(`${PODS}/huge`);
  });
});

test('a namespace is furnished, refuses new objects while it goes, and takes all with it', async () => {
  await wire.post('/api/v1/namespaces', {metadata: {name: 'brief'}});
  await eventually(async () =>
    expect((await wire.get('/api/v1/namespaces/brief/serviceaccounts/default')).code).toBe(200),
  );
  const held = {metadata: {name: 'held', finalizers: ['example.com/hold']}};
  await wire.post('/api/v1/namespaces/brief/configmaps', held);
  await wire.delete('/api/v1/namespaces/brief');
  const refused = await wire.post('/api/v1/namespaces/brief/configmaps', {metadata: {name: 'late'}});
  expect([refused.code, stringAt(refused.body, 'reason')]).toEqual([403, 'Forbidden']);
  await wire.patch('/api/v1/namespaces/brief/configmaps/held', {metadata: {finalizers: null}});
  await eventually(async () => expect((await wire.get('/api/v1/namespaces/brief')).code).toBe(404));
});

test('a CRD is served at once, prunes, defaults, validates, and takes its objects with it', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const spec = {
    type: 'object',
    properties: {size: {type: 'integer', minimum: 1}, color: {type: 'string', default: 'red'}},
  };
  const openAPIV3Schema = {type: 'object', properties: {spec}};
  await wire.post(definitions, {
    metadata: {name: 'gears.example.com'},
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: {plural: 'gears', kind: 'Gear'},
      versions: [
        {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema}},
        {name: 'v1alpha1', served: true, storage: false, schema: {openAPIV3Schema}},
      ],
    },
  });
  const gears = '/apis/example.com/v1/namespaces/default/gears';
  await eventually(async () => expect((await wire.get(gears)).code).toBe(200));
  const gear = (size: number) => ({
    apiVersion: 'example.com/v1',
    kind: 'Gear',
    metadata: {name: 'g'},
    spec: {size, odd: 1},
  });
  const refused = await wire.post(gears, gear(0));
  expect(stringAt(refused.body, 'message')).toContain(
    'spec.size in body should be greater than or equal to 1',
  );
  const made = await wire.post(gears, gear(2));
  expect(at(made.body, 'spec')).toEqual({size: 2, color: 'red'});
  const other = await wire.get('/apis/example.com/v1alpha1/namespaces/default/gears/g');
  expect([stringAt(other.body, 'apiVersion'), at(other.body, 'spec', 'size')]).toEqual([
    'example.com/v1alpha1',
    2,
  ]);
  await wire.delete(`${definitions}/gears.example.com`);
  await eventually(async () => expect((await wire.get(gears)).code).toBe(404));
});
