import {expect, test} from 'vitest';
import {parseAttachTarget} from '../attach-target.ts';
import {levelCommands} from './level-commands.ts';

const istio = {
  collections: [{name: 'crdclient/informer/Gateway', kind: 'source' as const, from: [], synced: true}],
};

test.each([
  ['istiod', undefined, 'deploy/istiod -n istio-system'],
  ['istiod.mesh', undefined, 'deploy/istiod -n mesh'],
  ['pod/istio-system/istiod-0:8080', istio, 'pod/istiod-0 -n istio-system'],
  ['deploy/mesh/istiod-canary:8080', istio, 'deploy/istiod-canary -n mesh'],
  ['http://127.0.0.1:8080/debug/krtz', istio, 'deploy/istiod -n istio-system'],
])('%s', (target, document, program) => {
  expect(levelCommands(parseAttachTarget(target), document)).toEqual({
    on: `istioctl admin log ${program} --level krt:debug`,
    off: `istioctl admin log ${program} --level krt:info`,
  });
});

test('another program has none', () => {
  expect(levelCommands(parseAttachTarget('kgateway'), {collections: []})).toBeUndefined();
});
