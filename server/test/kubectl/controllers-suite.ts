// What controllers do after kubectl's writes: rollouts, endpoints, Events, evictions, finalizers.
import {expect, test} from 'vitest';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import type {Kubectl} from './kubectl.ts';
import {deployment, map} from './objects.ts';

interface EventRow {
  involvedObject: {kind: string; name: string};
  source: {component?: string};
  reason: string;
  message: string;
}

/** A kubectl with a namespace that is new in each try of a test. */
export interface Terminal {
  readonly kubectl: Kubectl;
  readonly ns: string;
  server(): TestServer;
  /** Runs a command line in that namespace and returns its output. */
  k(line: string, input?: string | object): Promise<string>;
}

export function kubectlControllersSuite(on: Terminal): void {
  test('a Deployment rolls out: wait, scale, rollout, Pods with their columns', async () => {
    await on.k('create -f -', deployment('web', 2));
    await on.k('wait --for=condition=Available deployment/web --timeout=150s');
    expect(await on.k('rollout status deployment/web --timeout=150s')).toContain('successfully rolled out');
    expect(await on.k('get deployment web')).toMatch(
      /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +2\/2 +2 +2 +\d+s\n$/,
    );
    expect(await on.k('get pods -l app=web')).toMatch(
      /^NAME +READY +STATUS +RESTARTS +AGE\n(web-[a-z0-9]+-[a-z0-9]{5} +1\/1 +Running +0 +\d+s\n){2}$/,
    );
    expect(await on.k('get pods -l app=web -o wide')).toMatch(
      /READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES/,
    );
    // A real server may answer a list from an older cache, and `kubectl wait` then misses the change.
    await expect
      .poll(() => on.k('get replicasets -l app=web'), {timeout: 150_000, interval: 500})
      .toMatch(/^NAME +DESIRED +CURRENT +READY +AGE\nweb-[a-z0-9]+ +2 +2 +2 /);
    expect(await on.k('scale deployment web --replicas=3')).toBe('deployment.apps/web scaled\n');
    await on.k('wait --for=jsonpath={.status.readyReplicas}=3 deployment/web --timeout=150s');
    expect((await on.k('get pods -l app=web -o name')).trim().split('\n')).toHaveLength(3);
    await on.k('set image deployment/web web=nginx:1.28');
    await on.k('rollout status deployment/web --timeout=150s');
    expect(await on.k('rollout history deployment/web')).toMatch(/REVISION +CHANGE-CAUSE\n1 .*\n2 /);
    // A rollout can finish before the last replica is available.
    await on.k('wait --for=jsonpath={.status.availableReplicas}=3 deployment/web --timeout=150s');
    expect(await on.k('describe deployment web')).toMatch(
      /Replicas: +3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable/,
    );
  });

  test('a Service finds its Pods', async () => {
    await on.k('create -f -', deployment('web', 2));
    await on.k('rollout status deployment/web --timeout=150s');
    await on.k('expose deployment web --port=80');
    expect(await on.k('get service web')).toMatch(
      /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nweb +ClusterIP +10\.[\d.]+ +<none> +80\/TCP/,
    );
    await eventually(
      'endpoints',
      async () =>
        /10\./.test(
          await on.k(
            'get endpointslices -l kubernetes.io/service-name=web -o jsonpath={.items[*].endpoints[*].addresses}',
          ),
        ),
      {every: 100},
    );
  });

  test('controllers tell what they do in Events', async () => {
    await on.k('create -f -', deployment('told', 2));
    await on.k('rollout status deployment/told --timeout=150s');
    await on.k('scale deployment told --replicas=1');
    await on.k('create job told --image=x');
    await on.k('wait --for=condition=Complete job/told --timeout=150s');
    const said = async () => {
      const {items} = JSON.parse(await on.k('get events -o json')) as {items: EventRow[]};
      return items
        .filter(one => one.involvedObject.name.startsWith('told'))
        .map(one => `${one.source.component} ${one.involvedObject.kind} ${one.reason}: ${one.message}`)
        .map(line => line.replaceAll(/told-[a-z0-9]+(-[a-z0-9]+)?/g, 'told-x').replace(/node-\d/, 'node'))
        .filter(line => !line.startsWith('kubelet') && !line.startsWith('kwok'));
    };
    const expected = [
      'deployment-controller Deployment ScalingReplicaSet: Scaled up replica set told-x from 0 to 2',
      'deployment-controller Deployment ScalingReplicaSet: Scaled down replica set told-x from 2 to 1',
      'replicaset-controller ReplicaSet SuccessfulCreate: Created pod: told-x',
      'replicaset-controller ReplicaSet SuccessfulDelete: Deleted pod: told-x',
      'job-controller Job SuccessfulCreate: Created pod: told-x',
      'job-controller Job Completed: Job completed',
    ];
    await eventually(
      'every Event',
      async () => {
        const lines = await said();
        return expected.every(line => lines.includes(line));
      },
      {every: 300, limit: 20_000},
    );
    expect(await on.k('describe deployment told')).toMatch(
      /Events:\n +Type +Reason +Age +From +Message\n.*\n +Normal +ScalingReplicaSet +\S+ +deployment-controller +Scaled up replica set told-\S+ from 0 to 2\n/,
    );
    expect(await on.k('get events --field-selector involvedObject.kind=Job')).toMatch(
      /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n(.*\n)*\d+s +Normal +Completed +job\/told +Job completed\n/,
    );
  });

  test('drain heeds a PodDisruptionBudget', async () => {
    await on.k('create -f -', deployment('kept', 2));
    await on.k('create pdb kept --selector=app=kept --min-available=2');
    await on.k('rollout status deployment/kept --timeout=150s');
    await on.k('wait --for=jsonpath={.status.currentHealthy}=2 pdb/kept --timeout=150s');
    expect(await on.k('get pdb kept')).toMatch(
      /^NAME +MIN AVAILABLE +MAX UNAVAILABLE +ALLOWED DISRUPTIONS +AGE\nkept +2 +N\/A +0 +\d+s\n$/,
    );
    const name = (await on.k('get pods -l app=kept -o jsonpath={.items[0].metadata.name}')).trim();
    const eviction = {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name, namespace: on.ns}};
    const evict = () =>
      on.kubectl.run(
        ['create', '--raw', `/api/v1/namespaces/${on.ns}/pods/${name}/eviction`, '-f', '-'],
        eviction,
      );
    expect(await evict()).toMatchObject({
      code: 1,
      stderr:
        "Error from server (TooManyRequests): Cannot evict pod as it would violate the pod's disruption budget.\n",
    });
    await on.k('patch pdb kept --type merge -p {"spec":{"minAvailable":1}}');
    await on.k('wait --for=jsonpath={.status.disruptionsAllowed}=1 pdb/kept --timeout=150s');
    expect(await evict()).toMatchObject({code: 0});
    await on.k('delete pdb kept');
    await on.k('delete deployment kept');
  });

  test('delete waits for finalizers; wait --for=delete', async () => {
    await on.k('create -f -', map('two', {}));
    await on.k('create -f -', deployment('patched', 0));
    await on.k('create -f -', map('held', {}, {finalizers: ['example.com/hold']}));
    expect(await on.k('delete cm held --wait=false')).toMatch(/^configmap "held" deleted/);
    expect(await on.k('get cm held -o jsonpath={.metadata.deletionTimestamp}')).toMatch(/^20/);
    const waiting = on.k('wait --for=delete cm/held --timeout=20s');
    await on.k('patch cm held --type merge -p {"metadata":{"finalizers":null}}');
    await waiting;
    expect((await on.kubectl.run(['-n', on.ns, 'get', 'cm', 'held'])).code).toBe(1);
    expect(await on.k('delete cm --field-selector metadata.name=two')).toMatch(/^configmap "two" deleted/);
    expect(await on.k('delete deployment patched')).toMatch(/^deployment.apps "patched" deleted/);
  });
}
