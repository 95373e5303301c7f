import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, expect, test, vi} from 'vitest';
import {runCommand} from '../commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-redact-'));
afterAll(() => rmSync(folder, {recursive: true}));
afterEach(() => vi.restoreAllMocks());

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const shop = file(
  'shop.yaml',
  `kind: Deployment
metadata: {name: cart, namespace: shop}
spec: {template: {spec: {containers: [{env: [{name: DB_PASSWORD, value: hunter2}, {name: IBAN, value: DE12}]}]}}}
---
kind: SecretList
items: [{metadata: {name: db, namespace: shop}, data: {user: YWRtaW4=}}]
---
kind: Namespace
metadata: {name: shop}
`,
);
const policy = file('policy.yaml', 'names: [iban]\n');

async function output(args: string[], env: Record<string, string> = {}): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
    text += chunk;
    return true;
  });
  await runCommand(['redact', ...args], env);
  return text;
}

test('prints object, path and rule of each hidden value, and no value', async () => {
  const text = await output(['--check', shop]);
  expect(text).toBe(
    `OBJECT                PATH                                           RULE
Deployment shop/cart  spec.template.spec.containers[0].env[0].value  name
Secret shop/db        data.user                                      secret-data
`,
  );
});

test('a policy adds its lines, by flag or by variable, as JSON too', async () => {
  const added = {
    object: 'Deployment shop/cart',
    path: 'spec.template.spec.containers[0].env[1].value',
    rule: 'policy names: iban',
  };
  const text = await output(['--check', shop, '--redact', policy, '-o', 'json']);
  expect(JSON.parse(text)).toEqual([expect.anything(), added, expect.anything()]);
  expect(text).not.toMatch(/hunter2|DE12|YWRtaW4/);
  expect(await output(['--check', shop], {KRTSCOPE_REDACT: policy})).toContain(added.rule);
});

test('says that nothing would be hidden', async () => {
  const plain = file('plain.yaml', 'kind: Namespace\nmetadata: {name: a}\n');
  expect(await output(['--check', plain])).toBe('Nothing would be hidden in 1 object.\n');
});

test('wrong files and flags are errors of the command line', async () => {
  await expect(output([])).rejects.toThrow('usage: krtscope redact --check FILE');
  await expect(output(['--check', join(folder, 'none')])).rejects.toThrow(
    /^--check .*none: there is no such file or folder/,
  );
  await expect(output(['--check', file('bad.yaml', 'a: [\n')])).rejects.toThrow(/bad\.yaml:\d+: /);
  await expect(output(['--check', shop, '--redact', file('p', 'name: [a]\n')])).rejects.toThrow(
    /^--redact .*p:1: "name" is not known/,
  );
});
