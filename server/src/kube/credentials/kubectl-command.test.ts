import {expect, test} from 'vitest';
import {kubectlCommandFor} from './kubectl-command.ts';

test('a command to copy names the files that were read, unless kubectl reads them by itself', () => {
  const of = (...files: string[]) => kubectlCommandFor({files}, 'prod', '/home/me');
  expect(of('/home/me/.kube/config')).toBe('kubectl --context prod');
  expect(of('/tmp/k')).toBe('kubectl --kubeconfig /tmp/k --context prod');
  expect(of('/a', '/b')).toBe('KUBECONFIG=/a:/b kubectl --context prod');
  expect(of()).toBe('kubectl --context prod');
  expect(kubectlCommandFor({files: ["/tmp/it's mine"]}, 'a b', '/home/me')).toBe(
    `kubectl --kubeconfig '/tmp/it'\\''s mine' --context 'a b'`,
  );
});
