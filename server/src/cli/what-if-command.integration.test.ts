// krtscope what-if as a person types it: against a running demo, and on a recording without one.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {WhatIf} from '@krtscope/shared/what-if/what-if.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {TestInstance} from '../start/testing-instance.ts';

let server: TestInstance;
const folder = mkdtempSync(join(tmpdir(), 'krtscope-what-if-cli-'));
const service = join(folder, 'service.yaml');

beforeAll(async () => {
  writeFileSync(
    service,
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: redis\nspec:\n  selector:\n    app: cache\n---\napiVersion: v1\nkind: Role\nmetadata:\n  name: skipped\n',
  );
  server = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0']);
  await server.ready();
});
afterAll(async () => {
  rmSync(folder, {recursive: true});
  await server.stop();
});

const run = (args: string[], home = server.home) => new TestInstance(['what-if', ...args], {home}).ended;

test('text: the summary, the rows and the notes; exit code 1 for differences', async () => {
  const {code, stdout} = await run(['-f', service, '-n', 'data']);
  expect(stdout).toMatch(
    /^What if, at #\d+: \d+ rows in \d collections would change\. Would end no incident, begin 1 incident\.\n/,
  );
  expect(stdout).toContain('  begins  warning: Service data/redis selects no Pod');
  expect(stdout).toContain('  data/redis\n-   spec.selector.app: redis\n+   spec.selector.app: cache\n');
  expect(stdout).toContain('note: Role skipped was skipped: v1 Role is not a source.');
  expect(code).toBe(1);
});

test('an object as it is makes no difference: exit code 0; --fail-on chooses what fails', async () => {
  const same = join(folder, 'same.yaml');
  writeFileSync(same, 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n');
  expect(await run(['-f', same])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No row would change.'),
  });
  const label = join(folder, 'label.yaml');
  writeFileSync(
    label,
    'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  labels:\n    tried: "yes"\n',
  );
  expect((await run(['-f', label])).code).toBe(1);
  expect((await run(['-f', label, '--fail-on', 'new-incident'])).code).toBe(0);
});

test('--delete, -o json and -o markdown', async () => {
  const one = join(folder, 'one.yaml');
  writeFileSync(one, 'apiVersion: v1\nkind: Service\nmetadata:\n  name: redis\n  namespace: data\n');
  const {stdout} = await run(['-f', one, '--delete', '-o', 'json']);
  const answer = JSON.parse(stdout) as WhatIf;
  expect(answer.collections.ServiceInfos).toMatchObject([{key: 'data/redis'}]);
  expect(answer.collections.ServiceInfos?.[0]).not.toHaveProperty('new');
  const list = join(folder, 'list.yaml');
  writeFileSync(
    list,
    `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Service, metadata: {name: redis, namespace: data}}\n- {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: data}}\n`,
  );
  const several = JSON.parse((await run(['-f', list, '--delete', '-o', 'json'])).stdout) as WhatIf;
  expect(several.collections.ServiceInfos).toHaveLength(1);
  expect(several.notes).toContain('Role r was skipped: rbac.authorization.k8s.io/v1 Role is not a source.');
  const markdown = await run(['-f', one, '--delete', '-o', 'markdown']);
  expect(markdown.stdout).toMatch(/^### What if: /);
  expect(markdown.stdout).toContain('| ServiceInfos | 1 removed |');
});

test('--react lets controllers react, and a fix is tried with --try', async () => {
  const more = join(folder, 'more.yaml');
  writeFileSync(
    more,
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart, namespace: shop}\nspec: {replicas: 9}\n',
  );
  const still = await run(['-f', more]);
  expect(still.stdout).toContain('note: This holds before any controller reacts.');
  expect(still.stdout).not.toContain('Pods:');
  const {code, stdout} = await run(['-f', more, '--react']);
  expect(stdout).toMatch(/^Pods: \d+ added$/m);
  expect(stdout).toMatch(/^note: krtscope's own .* reacted until nothing changed/m);
  expect(code).toBe(1);
  const incidents = await new TestInstance(['incidents', '--try'], {home: server.home}).ended;
  expect([incidents.code, incidents.stderr]).toEqual([0, '']);
});

test('errors have exit code 2 and say what to do', async () => {
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const empty = write('empty.yaml', '# nothing\n---\n');
  const broken = write('broken.yaml', 'apiVersion: v1\nkind: Service\nmetadata: {name: redis\n');
  const role = write(
    'role.yaml',
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r, namespace: data}\n',
  );
  const cases: [string[], RegExp][] = [
    [[], /usage: krtscope what-if -f/],
    [['-f', join(folder, 'none.yaml')], /none\.yaml: there is no such file or folder/],
    [['-f', service, '-o', 'xml'], /-o xml is not known; give text, json, markdown/],
    [['--undo', 'x'], /--undo is "x"; give SEQ\/COLLECTION\/KEY/],
    [
      ['--undo', '1/Services/data/none'],
      /the state before #1 is not kept, so its writes cannot be taken back/,
    ],
    [['--undo', '99999999/Services/data/redis'], /sequence 99999999 has not happened yet/],
    [['-f', empty], /the manifest has no object/],
    [['-f', broken], /broken\.yaml:4: .*[^:]$/m],
    [['-f', role, '--delete'], /Role r was skipped: .* is not a source\. Nothing is left to try/],
    [
      ['-f', service, '--recording', join(folder, 'none.krtrec')],
      /--recording .*none\.krtrec: there is no such file or folder/,
    ],
  ];
  for (const [args, says] of cases) {
    const {code, stderr} = await run(args);
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).toMatch(says);
  }
});

test('--recording needs neither a cluster nor a running krtscope', async () => {
  const file = join(folder, 'demo.krtrec');
  writeFileSync(file, Buffer.from(await (await server.get('/api/v1/recording')).arrayBuffer()));
  const {code, stdout} = await run(['-f', service, '-n', 'data', '--recording', file], folder);
  expect(stdout).toContain('  begins  warning: Service data/redis selects no Pod');
  expect(code).toBe(1);
});
