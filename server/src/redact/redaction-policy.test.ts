import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parseRedactionPolicy} from './policy-file.ts';
import {makeRedactor} from './redactor.ts';

const policyText = `
names: [iban, customerNumber]
fields:
  Deployment: ['spec.template.metadata.annotations[example.com/owner]', 'spec.template.spec.containers[*].workingDir']
  '*': [spec.contact]
patterns:
  - 'ACCT-[0-9]{8}'
  - 'tenant=(\\w+)'
`;
const policy = parseRedactionPolicy(policyText, 'policy.yaml');
const redact = makeRedactor(Buffer.alloc(32), policy);
const marker = expect.stringMatching(/^redacted:[0-9a-f]{8}$/);
const inMap = (text: string, using = redact) =>
  using({kind: 'ConfigMap', metadata: {name: 'a'}, data: {text}}).data.text;

test('names count in fields, variables, keys, annotations and flags, in every way to write them', () => {
  const pod = redact({
    kind: 'Pod',
    metadata: {name: 'iban', annotations: {'example.com/customer-number': '12'}},
    spec: {
      containers: [
        {
          env: [
            {name: 'SHOP_IBAN', value: 'DE12'},
            {name: 'CUSTOMER_NUMBER_OLD', value: 7},
            {name: 'SHOP_IBAN_REF', value: 'DE12'},
          ],
          args: ['--iban', 'DE12', '--customer-number=99', '--port', '80'],
        },
      ],
      payment: {iban: 'DE12', customerNumber: 5, ibans: 'x', customernumber: [1, 'b', {c: 'd'}]},
    },
  });
  expect(pod.metadata).toEqual({name: 'iban', annotations: {'example.com/customer-number': marker}});
  const [container] = pod.spec.containers;
  expect(container?.env.map(({value}) => value)).toEqual([marker, marker, 'DE12']);
  expect(container?.args).toEqual([
    '--iban',
    marker,
    expect.stringMatching(/^--customer-number=redacted:\w{8}$/),
    '--port',
    '80',
  ]);
  expect(pod.spec.payment).toEqual({
    iban: marker,
    customerNumber: marker,
    ibans: 'x',
    customernumber: [marker, marker, {c: 'd'}],
  });
});

test.each([
  'shop.iban = DE12-34\nother = 1',
  'iban: "DE12-34"\nother: 1',
  '{"a": 1, "iban": "DE12-34"}',
  '{\\"a\\": 1, \\"iban\\": \\"DE12-34\\"}',
  '<a><iban>DE12-34</iban></a>',
  'pay --iban DE12-34 --port 80',
  'https://pay/?port=80&iban=DE12-34&x=1',
  'export SHOP_IBAN=DE12-34',
  Buffer.from('port=80 iban=DE12-34').toString('base64'),
])('names count inside the text %s', text => {
  const hidden = inMap(text);
  expect(hidden).toMatch(/redacted:[0-9a-f]{8}/);
  expect(hidden).not.toContain('DE12-34');
  expect(hidden.replace(/redacted:[0-9a-f]{8}/, '')).toBe(
    text.includes('DE12-34') ? text.replace('DE12-34', '') : '',
  );
});

test('a value that only points to a secret stays readable', () => {
  expect(inMap('iban=$(IBAN)')).toBe('iban=$(IBAN)');
});

test('fields are hidden whole in their kind, and "*" holds for every kind, in lists too', () => {
  const template = () => ({
    metadata: {annotations: {'example.com/owner': 'ann', 'example.com/team': 'b'}},
    spec: {
      containers: [
        {name: 'a', workingDir: '/a'},
        {name: 'b', workingDir: '/b'},
      ],
    },
  });
  const shop = redact({
    kind: 'Deployment',
    metadata: {name: 'a'},
    spec: {contact: {mail: 'a@b'}, template: template()},
  });
  expect(shop.spec.contact).toEqual(marker);
  expect(shop.spec.template.metadata.annotations).toEqual({
    'example.com/owner': marker,
    'example.com/team': 'b',
  });
  expect(shop.spec.template.spec.containers.map(one => one.workingDir)).toEqual([marker, marker]);
  const job = redact({kind: 'Job', metadata: {name: 'a'}, spec: {template: template()}});
  expect(job.spec.template).toEqual(template());
  // Items of a list have no kind; documents of attached programs have objects inside.
  expect(redact({metadata: {name: 'a'}, spec: {template: template()}}, 'Deployment')).toEqual(
    redact({metadata: {name: 'a'}, spec: {template: shop.spec.template}}, 'Deployment'),
  );
  expect(redact({value: {metadata: {name: 'a'}, spec: {contact: 'ann'}}}).value.spec.contact).toEqual(marker);
});

test('patterns hide what they match, or their group, and leave the rest', () => {
  expect(inMap('😀 pay ACCT-12345678 of tenant=blue now')).toMatch(
    /^😀 pay redacted:\w{8} of tenant=redacted:\w{8} now$/,
  );
  const pod = redact({kind: 'Pod', metadata: {name: 'x-ACCT-12345678'}, spec: {image: 'a/ACCT-12345678'}});
  expect(pod.metadata.name).toBe('x-ACCT-12345678');
  expect(pod.spec.image).toMatch(/^a\/redacted:\w{8}$/);
});

test('a policy only adds: a pattern that cuts a secret in two does not show the rest of it', () => {
  const cutting = parseRedactionPolicy("patterns: ['ghp_a1', 'redacted', '[0-9a-f]{4}']", 'p');
  const token = `ghp_${'a1B2'.repeat(9)}`;
  expect(inMap(`use ${token} here`, makeRedactor(undefined, cutting))).toMatch(/^use redacted:\w{8} here$/);
  // A pattern that spans a secret of the rules and more hides all of it.
  const spanning = parseRedactionPolicy("patterns: ['id [0-9]+ password=\\S+']", 'p');
  expect(inMap('id 77 password=hunter2-Xy9', makeRedactor(undefined, spanning))).toEqual(marker);
});

test.each(['iban=a ', 'iban="', '<iban>', 'iban/', ' iban\t', '--iban ', "iban: 'x"])(
  'a text that repeats %j is read once',
  text => {
    const hidden = inMap(`password=hunter2-Xy9 ${text.repeat(20_000)}`);
    expect(hidden).not.toContain('hunter2');
  },
);

test('a text with very many parts beside a secret of the rules is hidden whole', () => {
  const accounts = Array.from({length: 5000}, (_, at) => `ACCT-${10_000_000 + at}`).join(' ');
  expect(inMap(`password=hunter2-Xy9 ${accounts}`)).toEqual(marker);
});

test('with a policy, each secret of the corpus is as hidden as without it', () => {
  const key = Buffer.alloc(32);
  const other = parseRedactionPolicy("names: [iban]\npatterns: ['[a-z]{3}[0-9]', 'e']", 'p');
  const samples = readFileSync(new URL('./corpus-secrets.txt', import.meta.url), 'utf8').split('\n');
  const shown = samples.filter(sample => {
    const secret = /«([\s\S]*)»/.exec(sample)?.[1];
    if (secret === undefined) return false;
    const text = sample.replace(/[«»]/g, '');
    return (
      inMap(text, makeRedactor(key, other)).includes(secret) &&
      !inMap(text, makeRedactor(key)).includes(secret)
    );
  });
  expect(shown).toEqual([]);
});

test('equal values have equal digests, and a change of a value shows', () => {
  expect(inMap('iban=DE1')).toBe(inMap('iban=DE1'));
  expect(inMap('iban=DE1')).not.toBe(inMap('iban=DE2'));
});
