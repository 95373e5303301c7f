import {expect, test} from 'vitest';
import {clusterFlag, quote, withClusterFlag} from './kubectl-command.ts';

const live = {kind: 'live' as const, context: 'kind shop', server: '', version: ''};
const demo = {...live, kind: 'demo' as const, context: 'krtscope-demo', kubeconfig: '/data dir/k'};
const label = 'kubectl -n shop label pod a app=b --overwrite';

test('a command goes to the cluster that is looked at, not to the terminal’s own', () => {
  expect(withClusterFlag(label, live)).toBe(`${label} --context 'kind shop'`);
  expect(withClusterFlag(label, demo)).toBe(`${label} --kubeconfig '/data dir/k'`);
});

test('what says already where it goes, and what is no kubectl, stays as it is', () => {
  for (const said of [
    'kubectl --context x version',
    'kubectl get pods --kubeconfig=/k',
    'KUBECONFIG=/a:/b kubectl --context x version',
    'krtscope why Pods shop/a',
  ]) {
    expect(withClusterFlag(said, live)).toBe(said);
  }
});

test('where there is no cluster to reach, nothing is added', () => {
  for (const kind of ['recording', 'attached', 'program'] as const)
    expect(withClusterFlag(label, {...live, kind})).toBe(label);
  expect(withClusterFlag(label, undefined)).toBe(label);
  expect(clusterFlag({...live, context: ''})).toBe('');
});

test('a name with a quote cannot break out of the command', () => {
  expect(quote("a'; rm -rf /")).toBe(`'a'\\''; rm -rf /'`);
});
