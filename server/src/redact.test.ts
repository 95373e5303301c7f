import {expect, test} from 'vitest';
import {makeRedactor} from './redact.ts';

const secret = (password: string) => ({
  kind: 'Secret',
  metadata: {name: 'a'},
  data: {password},
  stringData: {raw: password},
});

test('every value of a Secret is replaced, and a change stays visible', () => {
  const redact = makeRedactor();
  const one = redact(secret('aHVudGVyMg=='));
  expect(JSON.stringify(one)).not.toContain('aHVudGVyMg==');
  expect(one.data.password).toMatch(/^redacted:[0-9a-f]{8}$/);
  expect(redact(secret('aHVudGVyMg==')).data.password).toBe(one.data.password);
  expect(redact(secret('aHVudGVyMw==')).data.password).not.toBe(one.data.password);
});

test('two runs of krtscope give different hashes, so that a guess cannot be checked later', () => {
  expect(makeRedactor()(secret('x')).data.password).not.toBe(makeRedactor()(secret('x')).data.password);
});

test('an environment value whose name looks secret is replaced at any depth, others stay', () => {
  const env = () => [
    {name: 'DB_PASSWORD', value: 'p'},
    {name: 'LOG_LEVEL', value: 'debug'},
    {name: 'API_KEY', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}},
  ];
  const pod = makeRedactor()({kind: 'Pod', spec: {containers: [{env: env()}]}});
  expect(pod.spec.containers[0]?.env).toEqual([
    {name: 'DB_PASSWORD', value: expect.stringMatching(/^redacted:/)},
    {name: 'LOG_LEVEL', value: 'debug'},
    {name: 'API_KEY', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}},
  ]);
  const deployment = makeRedactor()({
    kind: 'Deployment',
    spec: {template: {spec: {initContainers: [{env: env()}]}}},
  });
  expect(JSON.stringify(deployment)).toContain('"DB_PASSWORD","value":"redacted:');
});

test('the last applied configuration, a second copy of the object, is dropped on every kind', () => {
  const annotations = {'kubectl.kubernetes.io/last-applied-configuration': '{"data":"x"}', keep: 'y'};
  const map = makeRedactor()({kind: 'ConfigMap', metadata: {annotations}, data: {a: 'b'}});
  expect(map).toEqual({kind: 'ConfigMap', metadata: {annotations: {keep: 'y'}}, data: {a: 'b'}});
});

test('it is dropped from the Pod template inside another object, too', () => {
  const annotations = {'kubectl.kubernetes.io/last-applied-configuration': '{"data":"x"}', keep: 'y'};
  const set = makeRedactor()({kind: 'ReplicaSet', spec: {template: {metadata: {annotations}}}});
  expect(set.spec.template.metadata.annotations).toEqual({keep: 'y'});
});

test('an item of a list, which says no kind, is redacted by the kind of its list', () => {
  const item = makeRedactor()({metadata: {name: 'a'}, data: {password: 'x'}}, 'Secret');
  expect(item.data.password).toMatch(/^redacted:/);
});
