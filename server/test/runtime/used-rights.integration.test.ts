// krtscope rbac prints the rights that an operator used, and they are enough for it.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {applyAll, manifestsOf} from '../../../scripts/package/testing-manifests.ts';
import {runRbacCommand, watchRights} from '../../src/cli/rbac-command.ts';
import {type ApiServer, startApiServer} from '../../src/cluster/api-server.ts';
import type {Wire} from '../../src/kube/transport/transport.ts';
import {
  ConfigMap,
  controllerFor,
  createManager,
  ignoreNotFound,
  jsonPatch,
  makeLogger,
  objectReconciler,
  Secret,
  setControllerReference,
} from '../../src/runtime/index.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const namespace = 'default';

/** An operator that keeps a Secret for each ConfigMap with the label `keep`, and marks the ConfigMap. */
async function startOperator(transport: Wire) {
  const problems: string[] = [];
  const manager = await createManager({
    transport,
    metrics: {bindAddress: '127.0.0.1:0'},
    leaderElection: {id: 'keeper', namespace: 'kube-system', releaseOnCancel: true},
    cache: {byKind: [{kind: ConfigMap, labels: 'keep'}]},
    report: false,
    log: makeLogger(({level, message, fields}) => {
      if (level === 'warn' || level === 'error') problems.push(`${message} ${JSON.stringify(fields)}`);
    }),
  });
  controllerFor(manager)
    .for(ConfigMap)
    .owns(Secret)
    .complete(
      objectReconciler(manager.client, ConfigMap, async map => {
        const {name} = map.metadata;
        const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {namespace, name}} as const;
        setControllerReference(map, secret);
        await manager.client.apply(secret, {fieldOwner: 'keeper', force: true});
        if (map.metadata.annotations?.kept === 'yes') return;
        const annotations = [{op: 'add', path: '/metadata/annotations', value: {kept: 'yes'}}] as const;
        await manager.client.patch(map, jsonPatch(annotations));
      }),
    );
  const end = new AbortController();
  const running = manager.start(end.signal);
  await manager.elected;
  return {
    problems,
    url: `http://127.0.0.1:${manager.ports.metrics}`,
    async stop() {
      end.abort();
      await running;
    },
  };
}

const admin = () => createManager({transport: server.transport, metrics: {bindAddress: '0'}, report: false});

async function keep(name: string): Promise<void> {
  const {client, apiReader} = await admin();
  await client.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace, name, labels: {keep: ''}},
  });
  await expect
    .poll(
      async () => {
        const secret = await ignoreNotFound(apiReader.get(Secret, {namespace, name}));
        const map = await apiReader.get(ConfigMap, {namespace, name});
        return secret !== undefined && map.metadata.annotations?.kept === 'yes';
      },
      {timeout: 10_000},
    )
    .toBe(true);
}

test('the printed roles let the same operator do the same work, and nothing is refused', async () => {
  const first = await startOperator(server.transport);
  const printed: string[] = [];
  const warnings: string[] = [];
  const end = new AbortController();
  const watching = watchRights(
    {url: `${first.url}/metrics`, name: 'keeper'},
    text => printed.push(text),
    text => warnings.push(text),
    end.signal,
  );
  await keep('a');
  await expect.poll(() => printed.at(-1), {timeout: 10_000}).toMatch(/secrets.*create.*patch/s);
  await expect
    .poll(() => printed.join(''), {timeout: 10_000})
    .toContain('# new: update configmaps/finalizers');
  await first.stop();
  await expect
    .poll(() => warnings.join(''), {timeout: 10_000})
    .toMatch(/no operator answers .*; waiting for it/);
  end.abort();
  await watching;

  const roles = manifestsOf(printed.at(-1)!.replace(/^---\n/, ''));
  expect(roles.map(({kind, metadata}) => [kind, metadata.namespace])).toEqual([
    ['ClusterRole', undefined],
    ['Role', 'kube-system'],
  ]);
  const subjects = [{kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'krtscope-user'}];
  const bindings = roles.map(({apiVersion, kind = '', metadata}) => ({
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind, name: 'keeper'},
    subjects,
  }));
  await applyAll(server.client, [...roles, ...bindings]);
  const second = await startOperator(server.transportAs(server.userToken));
  await keep('b');
  await second.stop();
  expect(second.problems.filter(problem => /forbidden/i.test(problem))).toEqual([]);
}, 60_000);

test('a wrong address or flag says what to do', async () => {
  await expect(runRbacCommand(['http://127.0.0.1:1'])).rejects.toThrow(
    'no operator answers at http://127.0.0.1:1/metrics',
  );
  await expect(runRbacCommand(['--wacht'])).rejects.toThrow(/--wacht.*krtscope rbac --help/);
  await expect(runRbacCommand(['http://[', '--name', 'x'])).rejects.toThrow('is not an address');
});
