// Runs deploy/Dockerfile without a container: its instructions in a folder, and the program as its user, with the rights
// of deploy/kustomize on a real 1.36. A kill and a restart leave the past readable.
import {chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {Discovery} from '../../server/src/kube/discovery/discovery.ts';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {realServers, startReal, type TestServer} from '../../server/test/servers.ts';
import {copyInto, nodeFor, runAs} from './testing-image.ts';
import {applyAll, kubeconfigOf, manifestsOf} from './testing-manifests.ts';
import {emptyFolder, root, tarball} from './testing-tarball.ts';

interface BuiltImage {
  /** Of this process, unless that is root. */
  user: {uid?: number; gid?: number};
  env: Record<string, string>;
  entrypoint: string[];
}

const folder = emptyFolder('image');
const app = join(folder, 'app');
const data = join(folder, 'data');
const kubeconfig = join(folder, 'kubeconfig');
/** The image's paths are folders of this test. */
const onHost = (text: string) => text.replace(/(?<=^|=)\/(app|data)\b/, `${folder}/$1`);
const instructions = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^([A-Z]+) (.*)$/gm)].map(
    ([, name = '', rest = '']) => [name, rest] as const,
  );

/** Executes the Dockerfile. Another user than root keeps its own rights. */
async function build(tgz: string): Promise<BuiltImage> {
  const image: BuiltImage = {user: {}, env: {}, entrypoint: []};
  const context = join(folder, 'context');
  for (const path of [app, data, context]) mkdirSync(path);
  chmodSync(folder, 0o755);
  writeFileSync(join(context, 'krtscope-0.1.0.tgz'), readFileSync(tgz));
  for (const [name, rest] of instructions('deploy/Dockerfile')) {
    const words = rest.split(' ');
    if (name === 'COPY' && !rest.startsWith('--from')) copyInto(context, app, words, {});
    else if (name === 'RUN') {
      const env = {PATH: process.env.PATH ?? '', HOME: folder, npm_config_offline: 'true'};
      expect(await runAs({}, app, rest, env)).toMatchObject({code: 0});
    } else if (name === 'ENV')
      for (const word of words) image.env[word.split('=')[0] ?? ''] = onHost(word).split('=')[1] ?? '';
    else if (name === 'ENTRYPOINT') image.entrypoint = (JSON.parse(rest) as string[]).map(onHost);
    else if (name === 'USER' && process.getuid?.() === 0) {
      const [uid = 0, gid = 0] = rest.split(':').map(Number);
      image.user = {uid, gid};
      chownSync(data, uid, gid);
    }
  }
  return image;
}

describe.runIf(realServers !== undefined)('the image', () => {
  let server: TestServer;
  let image: BuiltImage;
  let instance: TestInstance | undefined;
  let node = '';

  beforeAll(async () => {
    image = await build(await tarball());
    node = nodeFor(folder);
    server = await startReal('v1.36', {bare: true});
    const {client} = server;
    await applyAll(client, [{apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'krtscope'}}]);
    for (const file of ['service-account', 'rights'])
      await applyAll(client, manifestsOf(readFileSync(join(root, `deploy/kustomize/${file}.yaml`), 'utf8')));
    const {token} = await tokenOf('krtscope');
    writeFileSync(kubeconfig, kubeconfigOf(server.url, server.ca, token));
    chmodSync(kubeconfig, 0o644);
  }, 300_000);
  afterAll(async () => {
    await instance?.stop('SIGKILL');
    await server?.stop();
    rmSync(folder, {recursive: true, force: true});
  });

  async function tokenOf(name: string): Promise<{token: string}> {
    const account = await new Discovery(server.client.transport).need({kind: 'ServiceAccount'});
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {namespace: 'krtscope'},
      spec: {},
    };
    const {status} = await server.client.create(account, request, {name, subresource: 'token'});
    return status as {token: string};
  }

  const write = (value: string) =>
    applyAll(server.client, [
      {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'note', namespace: 'default'}, data: {value}},
    ]);

  async function start(): Promise<TestInstance> {
    const {args} = parse(readFileSync(join(root, 'deploy/kustomize/deployment.yaml'), 'utf8')).spec.template
      .spec.containers[0];
    // The access token stands in for a user of the cluster, whose sign-in other tests have.
    const flags = (args as string[]).filter(arg => !arg.startsWith('--auth')).map(onHost);
    instance = new TestInstance([...flags, '--port', '0', '--host', '127.0.0.1'], {
      command: image.entrypoint,
      env: {...image.env, PATH: `${node}:/usr/bin:/bin`, KUBECONFIG: kubeconfig},
      home: data,
      user: image.user,
    });
    await instance.ready();
    return instance;
  }

  const noteAt = async (from: TestInstance, at?: number) => {
    const query = at === undefined ? '' : `?at=${at}`;
    const {sequence, value} = await from.json<{sequence: number; value: {data: {value: string}}}>(
      `/api/v1/collections/ConfigMaps/items/default%2Fnote${query}`,
    );
    return {sequence, value: value.data.value};
  };

  test('keeps the past over a kill, and needs no right to write beside its data', async () => {
    await write('before');
    const first = await start();
    const before = await noteAt(first);
    expect(before.value).toBe('before');
    const onDisk = async () => {
      const {recordings} = await first.json<{recordings: StoredRecording[]}>('/api/v1/recordings');
      return recordings[0]?.newest?.sequence ?? 0;
    };
    await expect.poll(onDisk, {timeout: 30_000}).toBeGreaterThanOrEqual(before.sequence);
    first.killAll();
    await first.ended;
    expect(first.stderr).not.toMatch(/in memory only/);
    await write('after');
    const second = await start();
    expect((await noteAt(second)).value).toBe('after');
    expect((await noteAt(second, before.sequence)).value).toBe('before');
  }, 180_000);
});
