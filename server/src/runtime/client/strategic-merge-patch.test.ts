import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {expect, test} from 'vitest';
import {strategicMergeFrom} from './strategic-merge-patch.ts';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'web', resourceVersion: '5', finalizers: ['a/x', 'a/y']},
  spec: {
    strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1}} as Record<string, unknown>,
    template: {
      spec: {
        containers: [
          {name: 'app', image: 'app:1', args: ['-a']},
          {name: 'side', image: 'side:1'},
        ] as Record<string, unknown>[],
      },
    },
  },
};

function patchOf(change: (object: typeof deployment) => void, options = {}) {
  const object = deepCopy(deployment);
  change(object);
  return strategicMergeFrom(deployment, options).body(object);
}

test('a changed container is one element with its name; plain lists go whole', () => {
  const patch = patchOf(({spec}) => {
    spec.template.spec.containers[0]!.image = 'app:2';
    spec.template.spec.containers[0]!.args = ['-a', '-b'];
  });
  expect(patch).toEqual({
    spec: {
      template: {
        spec: {
          '$setElementOrder/containers': [{name: 'app'}, {name: 'side'}],
          containers: [{name: 'app', image: 'app:2', args: ['-a', '-b']}],
        },
      },
    },
  });
});

test('an element that came is whole, one that went is a deletion', () => {
  const patch = patchOf(({spec}) => {
    spec.template.spec.containers = [spec.template.spec.containers[0]!, {name: 'new', image: 'n'}];
  });
  expect(patch).toMatchObject({
    spec: {
      template: {
        spec: {
          containers: [
            {name: 'new', image: 'n'},
            {$patch: 'delete', name: 'side'},
          ],
        },
      },
    },
  });
});

test('of alternatives the ones that stay are named; sets lose single values', () => {
  const patch = patchOf(({spec, metadata}) => {
    spec.strategy = {type: 'Recreate'};
    metadata.finalizers = ['a/x'];
  });
  expect(patch).toEqual({
    metadata: {'$setElementOrder/finalizers': ['a/x'], '$deleteFromPrimitiveList/finalizers': ['a/y']},
    spec: {strategy: {$retainKeys: ['type'], type: 'Recreate', rollingUpdate: null}},
  });
});

test('two elements of one key make the list go whole; a lock sends the version', () => {
  const patch = patchOf(
    ({spec}) => {
      spec.template.spec.containers = [{name: 'a'}, {name: 'a'}];
    },
    {optimisticLock: true},
  );
  expect(patch).toEqual({
    metadata: {resourceVersion: '5'},
    spec: {template: {spec: {containers: [{name: 'a'}, {name: 'a'}, {$patch: 'replace'}]}}},
  });
});
