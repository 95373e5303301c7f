import {expect, test} from 'vitest';
import {kubectlFor} from './kubectl.ts';

test('a command to copy names the files that were read, unless kubectl reads them by itself', () => {
  const of = (...files: string[]) => kubectlFor({files}, 'prod', '/home/me');
  expect(of('/home/me/.kube/config')).toBe('kubectl --context prod');
  expect(of('/tmp/k')).toBe('kubectl --kubeconfig /tmp/k --context prod');
  expect(of('/a', '/b')).toBe('KUBECONFIG=/a:/b kubectl --context prod');
  expect(of()).toBe('kubectl --context prod');
  expect(kubectlFor({files: ["/tmp/it's mine"]}, 'a b', '/home/me')).toBe(
    `kubectl --kubeconfig '/tmp/it'\\''s mine' --context 'a b'`,
  );
});
