import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {makeRedactor} from '../redact/redactor.ts';
import {JsonWriter} from '../runtime/report/json-writer.ts';
import {RedactionKeys} from './redaction-keys.ts';

test('a digest is the same after a restart, and another one for another cluster or program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-keys-'));
  try {
    const secret = (keys: RedactionKeys, kind: 'cluster' | 'program', owner: string) =>
      makeRedactor(keys.keyOf(kind, owner))({kind: 'Secret', data: {password: 'aHVudGVyMg=='}}).data.password;
    const [before, after] = [RedactionKeys.load(folder, () => {}), RedactionKeys.load(folder, () => {})];
    expect(secret(after, 'cluster', 'a')).toBe(secret(before, 'cluster', 'a'));
    const digests = [
      secret(after, 'cluster', 'a'),
      secret(after, 'cluster', 'b'),
      secret(after, 'program', 'a'),
      secret(new RedactionKeys(Buffer.alloc(32)), 'cluster', 'a'),
    ];
    expect(new Set(digests).size).toBe(4);
    expect(digests[0]).toMatch(/^redacted:[0-9a-f]{8}$/);
    expect(statSync(join(folder, 'redaction-key')).mode & 0o077).toBe(0);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
});

test('a program hides the same values as main, with the digests of the key that it was given', () => {
  const key = new RedactionKeys(Buffer.alloc(32, 1)).keyOf('program', 'shop');
  const row = {secret: 'password=hunter2', env: [{name: 'API_TOKEN', value: 'abc'}], plain: 'shown'};
  const write = (given?: string) => {
    const writer = new JsonWriter();
    writer.setRedactionKey(given);
    return writer.value(structuredClone(row));
  };
  expect(write(key.toString('hex'))).toBe(JSON.stringify(makeRedactor(key)(structuredClone(row))));
  expect(write(key.toString('hex'))).not.toContain('hunter2');
  expect(write()).not.toBe(write());
});
