import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {UsageError} from '../usage-error.ts';
import {parseRedactionPolicy, readRedactionPolicy} from './policy-file.ts';
import {makeRedactor} from './redactor.ts';

test.each([
  ['names: [a\n', 2, ''],
  ['names:\n  - a\nname: [b]\n', 3, '"name" is not known; a policy has names, fields, patterns'],
  ['names: iban\n', 1, 'names must be a list of texts'],
  ['names:\n  - iban\n  - 7\n', 3, 'quote a number'],
  ["names: ['--']\n", 1, 'is not a name'],
  ['fields: [a]\n', 1, 'fields must be a map of kinds to paths'],
  ['fields:\n  deployments: [spec.a]\n', 2, '"deployments" is not a kind'],
  ['fields:\n  Pod:\n    - metadata.name\n', 3, '"metadata.name" identifies the object'],
  ["fields:\n  Pod: ['*.name']\n", 2, 'would hide what identifies the object'],
  ["fields:\n  Pod: ['.']\n", 2, 'is not a path'],
  ["patterns:\n  - ok\n  - '(?=a)'\n", 3, 'is not a pattern'],
  ["patterns: ['a*']\n", 1, 'matches an empty text'],
  ["patterns: ['(?:[a-z]{1,9}x){99}']\n", 1, 'repeats too much'],
  ['', 1, 'a policy must be a map'],
  ['names: []\n', 1, 'the policy is empty'],
  ['names: [a]\n---\nnames: [b]\n', 2, ''],
])('%j is refused with file, line and reason', (text, line, reason) => {
  const parse = () => parseRedactionPolicy(text, 'p.yaml');
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(new RegExp(`^--redact p\\.yaml:${line}: .`));
  expect(parse).toThrow(reason);
});

test('a JSON file works too, and a file that is not there is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-policy-'));
  try {
    const file = join(folder, 'policy.json');
    writeFileSync(file, JSON.stringify({names: ['iban']}));
    const row = makeRedactor(undefined, readRedactionPolicy(file))({spec: {iban: 'DE12'}});
    expect(row.spec.iban).toMatch(/^redacted:/);
    expect(() => readRedactionPolicy(join(folder, 'none'))).toThrow(
      /^--redact .*none cannot be read: ENOENT/,
    );
  } finally {
    rmSync(folder, {recursive: true});
  }
});

test('a long text that a backtracking engine would never finish is matched', () => {
  const redact = makeRedactor(undefined, parseRedactionPolicy("patterns: ['(a+)+b']", 'p'));
  const text = 'a'.repeat(20_000);
  expect(redact({spec: {text}}).spec.text).toBe(text);
});
