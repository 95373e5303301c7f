// A part that an object shares with its redacted last version is not redacted again. The result must be the same.
import {deepCopy, deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import {shareStructure} from '@krtscope/shared/json/share-structure.ts';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {makeRedactor} from './redactor.ts';

const redact = makeRedactor(Buffer.alloc(32, 1));
const plain = (object: unknown) => redact(deepCopy(object), 'Pod');

function withLast(object: unknown, last: unknown, kind = 'Pod'): unknown {
  const fresh = deepCopy(object);
  shareStructure(last, fresh);
  return redact(fresh, kind, last);
}

test('equal parts stay the same objects, and a new secret beside them is hidden', () => {
  const pod = (password: string) => ({
    metadata: {name: 'a', labels: {app: 'shop'}},
    spec: {
      containers: [{env: [{name: 'LOG', value: 'info'}]}, {env: [{name: 'DB_PASSWORD', value: password}]}],
    },
  });
  const last = plain(pod('hunter2')) as ReturnType<typeof pod>;
  const next = withLast(pod('hunter3'), last) as ReturnType<typeof pod>;
  expect(next.metadata).toBe(last.metadata);
  expect(next.spec.containers[0]).toBe(last.spec.containers[0]);
  expect(next).toEqual(plain(pod('hunter3')));
  expect(JSON.stringify(next)).not.toContain('hunter3');
});

test('what becomes a Secret is hidden although its data was readable before', () => {
  const nested = (kind: string) => ({spec: {template: {kind, data: {password2: 'aaaa', text: 'hello'}}}});
  const last = deepFreeze(plain(nested('Thing')));
  expect(withLast(nested('Secret'), last)).toEqual(plain(nested('Secret')));
  const object = {metadata: {name: 'a'}, data: {text: 'hello'}};
  const shown = deepFreeze(redact(deepCopy(object), 'Thing'));
  expect(withLast(object, shown, 'Secret')).toEqual(redact(deepCopy(object), 'Secret'));
});

const name = fc.constantFrom(
  ...[
    'env',
    'name',
    'value',
    'password',
    'kind',
    'annotations',
    'command',
    'args',
    'tokens',
    'data',
    'labels',
  ],
  ...['secretName', 'url', 'key', 'auth', 'stringData', 'httpHeaders', 'kty', 'd'],
);
const leaf = fc.constantFrom(
  ...[
    'hunter2',
    'Secret',
    'ConfigMap',
    '--password=hunter2',
    'DB_PASSWORD',
    'http://u:pw1234@host/',
    'info',
    '',
  ],
  ...['-p', 'oct', 'token', 'aGVsbG8gcGFzc3dvcmQ9aHVudGVyMg==', 'password: hunter2', 7, true, null],
);
const {node} = fc.letrec(tie => ({
  node: fc.oneof(
    {maxDepth: 4},
    leaf,
    fc.array(tie('node'), {maxLength: 3}),
    fc.dictionary(name, tie('node'), {maxKeys: 4}),
  ),
}));
const object = fc.record({
  metadata: fc.record({name: fc.constant('a'), labels: node}),
  spec: node,
  status: node,
});

test('any next version is redacted as it would be without the last one, which stays as it is', () => {
  fc.assert(
    fc.property(object, object, fc.boolean(), fc.boolean(), (one, other, keepsSpec, keepsStatus) => {
      const next = {
        ...other,
        ...(keepsSpec ? {spec: one.spec} : {}),
        ...(keepsStatus ? {status: one.status} : {}),
      };
      const last = deepFreeze(plain(one));
      expect(withLast(next, last)).toEqual(plain(next));
    }),
    {numRuns: 3000},
  );
});
