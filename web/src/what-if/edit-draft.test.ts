import {ManifestError, parseManifestObjects} from '@krtscope/shared/yaml/manifest-objects.ts';
import {expect, test} from 'vitest';
import {
  editablePart,
  editedPaths,
  emptyDraft,
  kubectlCommands,
  manifestText,
  mergePatchOf,
  readDraft,
  toEdits,
  writeDraft,
} from './edit-draft.ts';

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {name: 'redis', namespace: 'data', uid: 'u', resourceVersion: '7'},
  spec: {selector: {app: 'redis'}, ports: [{port: 1}]},
  status: {loadBalancer: {}},
};
const original = {collection: 'Services', key: 'data/redis', object: service};
const resource = {group: '', version: 'v1', resource: 'services', kind: 'Service', namespaced: true};

test('a draft survives its link, with any letters; another text is no draft', () => {
  const draft = {
    manifest: 'a: "ä – 🎉"\n',
    deletes: [{collection: 'Pods', key: 'a/b'}],
    undos: [{sequence: 4, collection: 'Services', key: 'a/c'}],
    formulas: [{name: 'Ready', kind: 'one' as const, input: 'Pods', code: '(ctx, pod) => pod'}],
    react: true,
  };
  expect(readDraft(writeDraft(emptyDraft))).toEqual(emptyDraft);
  expect(readDraft(writeDraft(draft))).toEqual(draft);
  expect(writeDraft(draft)).toMatch(/^[\w-]+$/);
  expect(readDraft('%%%')).toBeUndefined();
  expect(readDraft('e30')).toBeUndefined();
});

test('the editor shows what can be edited', () => {
  expect(editablePart(service)).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: 'redis', namespace: 'data'},
    spec: service.spec,
  });
});

test('the edited original is a patch that also removes fields; unchanged it is nothing; others are applied', () => {
  const manifest = manifestText({...service, spec: {selector: {other: 'x'}, ports: [{port: 1}]}});
  expect(toEdits({...emptyDraft, manifest}, original)).toEqual([
    {
      patch: {
        collection: 'Services',
        key: 'data/redis',
        type: 'merge',
        body: {spec: {selector: {app: null, other: 'x'}}},
      },
    },
  ]);
  expect(toEdits({...emptyDraft, manifest: manifestText(service)}, original)).toEqual([]);
  expect(toEdits({...emptyDraft, manifest: 'kind: Pod\n---\nkind: Node\n'}, original)).toEqual([
    {apply: {kind: 'Pod'}},
    {apply: {kind: 'Node'}},
  ]);
  expect(mergePatchOf({a: 1, l: [1]}, {a: 1, l: [1, 2]})).toEqual({l: [1, 2]});
});

test('an error has its line', () => {
  expect(() => parseManifestObjects('a: 1\nb: [\n')).toThrow(ManifestError);
  expect(() => parseManifestObjects('- 1')).toThrow('a document is not an object');
});

test('the edits as kubectl commands', () => {
  const text = kubectlCommands(
    [
      {delete: {collection: 'Services', key: 'data/redis'}},
      {patch: {collection: 'Services', key: 'data/redis', type: 'merge', body: {a: "it's"}}},
      {apply: {kind: 'Pod'}},
    ],
    () => resource,
  );
  expect(text).toBe(
    "kubectl -n data delete services redis\nkubectl -n data patch services redis --type merge -p '{\"a\":\"it'\\''s\"}'\nkubectl apply --server-side -f - <<'EOF'\nkind: Pod\nEOF",
  );
});

test('aliases of aliases and half a document are refused with their line; the edited paths are then unknown', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [name, of] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih'])
    bomb.push(`${name}: &${name} [*${of}, *${of}, *${of}, *${of}, *${of}, *${of}, *${of}, *${of}, *${of}]`);
  for (const text of [bomb.join('\n'), 'kind: [Service', 'kind: "x', '- a\n- b']) {
    expect(() => parseManifestObjects(text)).toThrow(ManifestError);
    expect(editedPaths(text, original)).toEqual([]);
  }
  const edited = manifestText(service).replace('app: redis', 'app: web');
  expect(editedPaths(edited, original)).toEqual(['spec.selector.app']);
});

test('a text that YAML would read as something else stays a text in the editor', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'a'},
    data: {a: 'yes', b: '0644', c: '1_000', d: 'on', e: 'n', f: '1:30', g: 'null', h: '', i: '1e3', j: '<<'},
  };
  expect(parseManifestObjects(manifestText(object))).toEqual([object]);
  expect(
    toEdits({...emptyDraft, manifest: manifestText(object)}, {collection: 'ConfigMaps', key: 'a', object}),
  ).toEqual([]);
});
