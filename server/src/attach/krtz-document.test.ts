// krtz documents of programs: repeated, absent and self-referring names, and secrets in rows.
import {describe, expect, test} from 'vitest';
import {parseRedactionPolicy} from '../redact/policy-file.ts';
import {makeRedactor} from '../redact/redactor.ts';
import {hideSecrets} from './hide-secrets.ts';
import {KrtzReader} from './krtz-document.ts';
import {parseKrtzAddress} from './krtz-request.ts';
import {istiod, ownDocuments, small, type WrittenCollection} from './testing-documents.ts';

const read = (document: unknown, reader = new KrtzReader()) => reader.read(JSON.stringify(document));
const shapes = (document: unknown, reader?: KrtzReader) =>
  Object.fromEntries(
    read(document, reader).collections.map(({name, kind, from}) => [
      name,
      [kind, ...from.map(one => `${one.kind} ${one.collection}`)].join(', '),
    ]),
  );

test('what a document does not say is taken from its shape, and a name means the one that can be meant', () => {
  expect(shapes(ownDocuments.shop)).toEqual({
    File: 'trigger',
    // The file's content reads its own trigger, and the zone reads the content: each the newest before it.
    'File#2': 'singleton, fetch File',
    Zone: 'singleton, fetch File#2',
    'informer/Pods': 'source',
    Workloads: 'derived, input informer/Pods, fetch Zone, fetch aggregate/Services',
    'index/': 'index, index Workloads',
    'aggregate/Services': 'join',
  });
});

test('of two parents of one name the one that has the keys is meant', () => {
  const rows = (uid: number, ...keys: string[]): WrittenCollection => ({
    name: 'Rows',
    uid,
    state: {outputs: Object.fromEntries(keys.map(key => [key, {}])), synced: true},
  });
  const over = {inputCollection: 'Rows', inputs: {a: {}}, synced: true};
  const names = shapes([rows(1, 'a'), rows(2, 'b'), {name: 'Of', uid: 3, state: over}]);
  expect(names.Of).toBe('derived, input Rows');
  const others = shapes([rows(1, 'b'), rows(2, 'a'), {name: 'Of', uid: 3, state: over}]);
  expect(others.Of).toBe('derived, input Rows#2');
});

test('the second of a name stays the second when the first one goes, and in any order', () => {
  const reader = new KrtzReader();
  expect(Object.keys(shapes(ownDocuments.shop, reader))).toContain('File#2');
  const without = ownDocuments.shop.filter(({uid}) => uid !== 2).reverse();
  const names = Object.keys(shapes(without, reader));
  expect(names).toContain('File#2');
  expect(names).not.toContain('File');
});

test('a join of joins is made of its members by uid, and its keys are no collections', () => {
  const nested = {
    name: 'All',
    uid: 20,
    state: {inputs: {'9': {outputs: ['a'], dependencies: ['a', 'informer/Pods']}}, synced: true},
  };
  const document = read([...ownDocuments.shop, nested]);
  expect(document.collections.find(({name}) => name === 'All')).toMatchObject({
    kind: 'join',
    from: [{collection: 'informer/Pods', kind: 'join'}],
  });
  expect(document.inputs.filter(({collection}) => collection === 'All')).toEqual([]);
  expect(document.collections.some(({name}) => name === 'a')).toBe(false);
});

test('documents of old versions, without uid and with null for none', () => {
  for (const none of [null, []]) expect(() => read(none)).toThrow('it has no collections');
  const old = [
    {name: 'A', state: {outputs: null, inputs: null}},
    {name: 'A', state: null},
  ];
  expect(Object.keys(shapes(old))).toEqual(['A', 'A#2']);
});

test.each([
  ['<html>', /it is not JSON/],
  ['{"a": 1}', /not a krtz document/],
  ['[{"name": 1}]', /not a krtz document: 0\.name/],
  ['[{"name": "A", "state": {"inputs": {"k": {"outputs": 1}}}}]', /input "k" of A: outputs/],
])('what is none is refused in words: %s', (text, words) => {
  expect(() => new KrtzReader().read(text)).toThrow(words);
});

test('keys are keys, whatever they are called and however long they are', () => {
  const text = '[{"name": "A", "uid": 1, "state": {"outputs": {"__proto__": {"a": 1}}}}]';
  expect(new KrtzReader().read(text).items).toEqual([['A', '__proto__', {a: 1}]]);
  const long = (end: string) => `${'x'.repeat(5000)}${end}`;
  const {items} = read([{name: 'A', uid: 1, state: {outputs: {[long('1')]: 1, [long('2')]: 2}}}]);
  expect(new Set(items.map(([, key]) => key)).size).toBe(2);
  expect(Math.max(...items.map(([, key]) => key.length))).toBeLessThan(1100);
});

test("krtscope's own journals are nobody's collections", () => {
  const journal = {name: 'krtscope:graph', uid: 1, state: {outputs: {graph: {}}, synced: true}};
  expect(read([journal, ...small()]).collections.map(({name}) => name)).not.toContain('krtscope:graph');
});

const {shop} = istiod ?? {};
if (shop !== undefined)
  test('istiod: every collection once, every edge to one that is there', () => {
    const {collections, items} = read(shop);
    const names = collections.map(({name}) => name);
    expect(new Set(names).size).toBe(names.length);
    // 172 collections that it has and 8 that it only names.
    expect(names.length).toBe(180);
    expect(items.length).toBe(168);
    const known = new Set(names);
    for (const {from} of collections) for (const {collection} of from) expect(known).toContain(collection);
    expect(names).toContain('Mesh_File_mesh#2');
    const shape = shapes(shop);
    expect(shape.MeshConfig).toContain('singleton, fetch Mesh_File_mesh#2');
    expect(shape['crdclient/collection/Gateway']).toBe('derived, input crdclient/informer/Gateway');
    expect(shape['crdclient/collection/Gateway#2']).toBe('derived, input crdclient/informer/Gateway#2');
    expect(shape['aggregate/VirtualService']).toBe('join');
  });

describe('secrets', () => {
  const redact = makeRedactor();
  const hidden = /^redacted:[0-9a-f]{8}$/;
  const hide = (value: unknown, collection = 'X') =>
    hideSecrets(structuredClone(value), collection, redact) as never;

  test('a Secret without a kind is known by its collection or its type, also inside something else', () => {
    const secret = {metadata: {name: 's'}, data: {a: 'aHVudGVyMg=='}, type: 'Opaque'};
    const {type: _, ...bare} = secret;
    expect(hide(secret)).toMatchObject({data: {a: expect.stringMatching(hidden)}, type: 'Opaque'});
    expect(hide(bare, 'gateway/informer/Secrets')).toMatchObject({data: {a: expect.stringMatching(hidden)}});
    expect(hide({Key: 'k', Objects: [secret]})).toMatchObject({
      Objects: [{data: {a: expect.stringMatching(hidden)}}],
    });
    expect(hide(bare, 'informer/ConfigMaps')).toEqual(bare);
  });

  test('a policy counts in objects inside a structure', () => {
    const policy = parseRedactionPolicy(
      "names: [iban]\nfields: {'*': [spec.contact]}\npatterns: ['AC[0-9]+']",
      'p',
    );
    const given = {
      Key: 'k',
      Objects: [{metadata: {name: 'a'}, spec: {contact: {a: 1}, Iban: 'D', b: 'x AC1'}}],
    };
    expect(hideSecrets(given, 'X', makeRedactor(undefined, policy))).toMatchObject({
      Objects: [
        {
          spec: {
            contact: expect.stringMatching(hidden),
            Iban: expect.stringMatching(hidden),
            b: expect.stringMatching(/^x redacted:\w{8}$/),
          },
        },
      ],
    });
  });

  test('private keys, passwords and variables', () => {
    const pem = '-----BEGIN EC PRIVATE KEY-----\nMHc\n';
    const cert = '-----BEGIN CERTIFICATE-----\nMII\n';
    const bytes = (text: string) => Buffer.from(text).toString('base64');
    const given = {A: pem, B: bytes(pem), C: cert, D: bytes(cert), Password: 'x', Keys: ['k']};
    expect(hide(given)).toEqual({
      ...given,
      A: expect.stringMatching(hidden),
      B: expect.stringMatching(hidden),
      Password: expect.stringMatching(hidden),
    });
    expect(hide('https://user:hunter2@host/')).not.toContain('hunter2');
    expect(JSON.stringify(hide(ownDocuments.shop))).not.toContain('hunter2');
    expect(hide(3)).toBe(3);
  });

  test('the same secret looks the same in every document, or each would be a change', () => {
    const secret = {metadata: {}, data: {a: 'x'}, type: 'Opaque'};
    expect(hide(secret)).toEqual(hide(secret));
  });
});

test.each(['nowhere', 'file:///etc/passwd', 'http://me:secret@127.0.0.1/'])(
  '%s is no address to ask',
  address => {
    expect(() => parseKrtzAddress(address)).toThrow();
  },
);

test('an output that is nested deeper than the stack costs itself and not the document', () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const text = JSON.stringify(ownDocuments.shop).replace('"outputs":{', `"outputs":{"deep/one":${deep},`);
  const {items} = new KrtzReader().read(text);
  const found = items.find(([, key]) => key === 'deep/one');
  const shown = hideSecrets(found?.[2], found?.[0] ?? '', makeRedactor());
  expect(JSON.stringify(shown)).toContain('nested more than 500 levels deep');
  expect(items.length).toBeGreaterThan(1);
});
