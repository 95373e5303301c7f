// Each rule of the list hides its example, docs/redaction.md shows the list, and a report names the rule.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {parseRedactionPolicy} from './policy-file.ts';
import {reportHidden} from './redaction-report.ts';
import {redactionRules} from './redaction-rules.ts';
import {KEY_OWNERS, SECRET_WORDS, SETTING_WORDS} from './text/secret-names.ts';
import {PREFIXED} from './text/secret-shapes.ts';
import {textRules} from './text/secret-text.ts';

const pagePath = join(import.meta.dirname, '../../../docs/redaction.md');
const BEGIN =
  '<!-- The part below is made from server/src/redact by redaction-report.test.ts (vitest -u). -->';
const END = '<!-- The made part ends here. -->';

function generatedPart(): string {
  const list = (words: Iterable<string>) => [...words].sort().join(', ');
  return [
    BEGIN,
    '',
    '| rule | hides | such as the value at |',
    '|---|---|---|',
    ...redactionRules.map(({id, hides, path}) => `| \`${id}\` | ${hides} | \`${path}\` |`),
    '',
    'A name is secret if it ends with one of these words. Case and separators do not count: `dbPassword`, `DB_PASSWORD`, `db-password`.',
    '',
    `- Everywhere: ${list(SECRET_WORDS)}. As whole names of fields, pin, otp and pw do not count; names of Secrets (\`tlsSecret\`) and counts of tokens never do.`,
    `- In variables, ConfigMap keys, annotations, headers and flags also: ${list(SETTING_WORDS)}.`,
    `- \`key\` in other fields, after one of these: ${list(KEY_OWNERS)}.`,
    '',
    `Tokens are known by ${PREFIXED.length} shapes with prefixes, in \`server/src/redact/text/secret-shapes.ts\`.`,
    '',
    END,
  ].join('\n');
}

test('docs/redaction.md lists the rules as they are', async () => {
  const page = readFileSync(pagePath, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  expect(from).toBeGreaterThan(0);
  expect(to).toBeGreaterThan(from);
  const rendered = page.slice(0, from) + generatedPart() + page.slice(to + END.length);
  await expect(rendered).toMatchFileSnapshot(pagePath);
});

test('the policy on the page is valid, and hides what the page says', () => {
  const [, policy = ''] = /```yaml policy\.yaml\n([\s\S]*?)```/.exec(readFileSync(pagePath, 'utf8')) ?? [];
  const object = {
    kind: 'Deployment',
    metadata: {name: 'cart', annotations: {'example.com/contact': 'ann'}},
    spec: {template: {spec: {hostname: 'a'}}, text: 'ACCT-12345678 tenant=blue'},
    iban: 'DE12',
  };
  expect(reportHidden(object, parseRedactionPolicy(policy, 'policy.yaml')).map(({path}) => path)).toEqual([
    'iban',
    'metadata.annotations[example.com/contact]',
    'spec.text',
    'spec.template.spec.hostname',
  ]);
});

test.each(redactionRules.map(rule => [rule.id, rule] as const))('%s hides its example', (id, rule) => {
  const object = parse(rule.example) as object;
  const copy = structuredClone(object);
  expect(reportHidden(object)).toEqual([{path: rule.path, rule: id}]);
  expect(object).toEqual(copy);
});

test('the list has every rule for texts', () => {
  expect(redactionRules.map(({id}) => id)).toEqual(expect.arrayContaining(textRules.map(([id]) => id)));
});

test('every hidden value of the corpus has a rule, wherever it stands', () => {
  const lines = readFileSync(new URL('./corpus-secrets.txt', import.meta.url), 'utf8').split('\n');
  let hidden = 0;
  for (const line of lines.filter(one => one !== '')) {
    const text = line
      .slice(line.indexOf(' ') + 1)
      .replace(/[«»]/g, '')
      .replace(/\\n/g, '\n');
    const [name = '', ...value] = text.split('=');
    const objects = [
      {kind: 'ConfigMap', metadata: {name: 'a'}, data: {text, [name]: value.join('=')}},
      {kind: 'Pod', spec: {containers: [{env: [{name, value: value.join('=')}], command: text.split(' ')}]}},
      {kind: 'Pod', metadata: {annotations: {[name]: value.join('=')}}, status: {message: text}},
    ];
    for (const found of objects.flatMap(object => reportHidden(object))) {
      hidden += 1;
      expect({line, ...found}).toMatchObject({rule: expect.stringMatching(/^[a-z0-9-]+(, [a-z0-9-]+)*$/)});
    }
  }
  expect(hidden).toBeGreaterThan(600);
});

test('a value of the policy names its line of the policy, next to the rules', () => {
  const policy = parseRedactionPolicy("names: [iban]\nfields: {Pod: [spec.a]}\npatterns: ['AC[0-9]+']", 'p');
  const object = {
    kind: 'Pod',
    metadata: {name: 'a'},
    spec: {a: {b: 1}, iban: 'DE12', c: 'AC12', d: 'AC12 password=hunter2-Xy9'},
  };
  expect(reportHidden(object, policy)).toEqual([
    {path: 'spec.a', rule: 'policy fields: Pod spec.a'},
    {path: 'spec.iban', rule: 'policy names: iban'},
    {path: 'spec.c', rule: 'policy patterns: AC[0-9]+'},
    {path: 'spec.d', rule: 'assignment, policy patterns: AC[0-9]+'},
  ]);
});
