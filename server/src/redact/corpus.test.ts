// 850 texts with a secret (between « and ») and 530 without one, as they stand in clusters. At least 98 % of the secrets must be
// hidden, and at most 2 % of the public texts may change.
// The last 311 secrets came in three rounds, each written before its rules: 17 of 145, 11 of 104 and 8 of 62 were missed at
// first (12 %, 11 %, 13 %). A fourth round of 248, mostly tokens without a
// shape, missed 78 at first (31 %), 4 after its rules. Expect about 12 % misses of shapes that are not here yet, more of plain words.
// 3 of 147 public texts were changed, and 0 of 86 in the fourth round after its rules.
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {makeRedactor} from './redactor.ts';

const linesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.replace(/\\n/g, '\n').replace(/\\\\/g, '\\'));

/** A sample is a place and a text: `env NAME=value`, `field name: value`, `file text`, `args words`, `shell text`, `message text`. */
function objectOf(sample: string): object {
  const [place = '', rest = ''] = [
    sample.slice(0, sample.indexOf(' ')),
    sample.slice(sample.indexOf(' ') + 1),
  ];
  const [kind = '', file = 'config.txt'] = place.split(':');
  const pair = (separator: string) => {
    const at = rest.indexOf(separator);
    return {name: rest.slice(0, at), value: rest.slice(at + separator.length)};
  };
  switch (kind) {
    case 'env':
      return {kind: 'Pod', spec: {containers: [{env: [pair('=')]}]}};
    case 'header':
      return {kind: 'Pod', spec: {containers: [{livenessProbe: {httpGet: {httpHeaders: [pair(': ')]}}}]}};
    case 'map':
      return {kind: 'ConfigMap', metadata: {name: 'settings'}, data: {[pair('=').name]: pair('=').value}};
    case 'file':
      return {kind: 'ConfigMap', metadata: {name: 'settings'}, data: {[file]: rest}};
    case 'field':
      return {kind: 'Database', spec: {[pair(': ').name]: pair(': ').value}};
    case 'annotation':
      return {kind: 'Pod', metadata: {annotations: {[pair(': ').name]: pair(': ').value}}};
    case 'args':
      return {kind: 'Pod', spec: {containers: [{command: rest.split(' ')}]}};
    case 'shell':
      return {kind: 'Pod', spec: {containers: [{command: ['sh', '-c', rest]}]}};
    case 'message':
      return {kind: 'Pod', status: {message: rest}};
    default:
      throw new Error(`the corpus has no place "${kind}"`);
  }
}

const redact = makeRedactor();

test('at least 98 % of the secrets of the corpus are hidden', () => {
  const samples = linesOf('./corpus-secrets.txt');
  expect(samples.length).toBeGreaterThanOrEqual(850);
  const shown = samples.filter(sample => {
    const secret = /«([^»]*)»/.exec(sample)?.[1] as string;
    const hidden = JSON.stringify(redact(objectOf(sample.replace(/[«»]/g, ''))));
    return hidden.includes(JSON.stringify(secret).slice(1, -1));
  });
  expect(shown.length / samples.length, shown.join('\n')).toBeLessThanOrEqual(0.02);
});

test('at most 2 % of the public texts of the corpus change', () => {
  const samples = linesOf('./corpus-public.txt');
  expect(samples.length).toBeGreaterThanOrEqual(530);
  const changed = samples.filter(sample => {
    const object = objectOf(sample);
    return JSON.stringify(redact(structuredClone(object))) !== JSON.stringify(object);
  });
  expect(changed.length / samples.length, changed.join('\n')).toBeLessThanOrEqual(0.02);
});
