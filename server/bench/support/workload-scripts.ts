// The scripts of the workloads: what one operation does to the pods and services.
import type {Script} from './race.ts';
import {
  keyOf,
  type Labels,
  makeService,
  type Pod,
  relabelled,
  touched,
  type WorkloadObjects,
  withIp,
} from './workload-objects.ts';

/** Pods in two versions, so that making the objects is not part of what is timed. */
function twoVersions(pods: readonly Pod[], other: (pod: Pod, i: number) => Pod): [Pod[], Pod[]] {
  return [[...pods], pods.map(other)];
}

function podScript(
  world: WorkloadObjects,
  versions: [Pod[], Pod[]],
  changes: number,
  batched: boolean,
): Script {
  let turn = 0;
  return {
    changes,
    op(target) {
      turn ^= 1;
      const pods = versions[turn as 0 | 1];
      if (!batched) for (const pod of pods) target.setPod(pod);
      else {
        target.batch(() => {
          for (const pod of pods) target.setPod(pod);
        });
      }
    },
    pods: () => versions[turn as 0 | 1],
    services: () => world.services,
  };
}

/** W1 and W1b: every pod gets a new IP, one call each or all in one batch. */
export function newIps(world: WorkloadObjects, batched: boolean): () => Script {
  const versions = twoVersions(world.pods, (p, i) => withIp(p, `10.9.${i >> 8}.${i & 255}`));
  return () => podScript(world, versions, world.pods.length, batched);
}

/** W5: a new object that says nothing new, for every pod. */
export function noNews(world: WorkloadObjects): () => Script {
  const versions = twoVersions(world.pods, touched);
  return () => podScript(world, versions, 0, false);
}

/** Every pod's app label moves on by one, which changes the service it belongs to. */
export function relabel(world: WorkloadObjects, apps: number): () => Script {
  const versions = twoVersions(world.pods, p => {
    const {labels} = p.metadata;
    const app = (Number(labels.app!.slice(4)) + 1) % apps;
    return relabelled(p, {...labels, app: `app-${app}`});
  });
  return () => podScript(world, versions, world.pods.length, false);
}

/** W2: the first service flips between two selectors; `affected` pods change each time. */
export function flip(world: WorkloadObjects, affected: number, second: Labels): () => Script {
  const first = world.services[0]!;
  const other = makeService(first.metadata.namespace, first.metadata.name, second);
  return () => {
    let current = first;
    return {
      changes: affected,
      op(target) {
        current = current === first ? other : first;
        target.setService(current);
      },
      pods: () => world.pods,
      services: () => [current, ...world.services.slice(1)],
    };
  };
}

/** W4: one pod at a time gets a new IP, never the same twice in a row: the caches of a real cluster are cold too. */
export function onePod(world: WorkloadObjects): () => Script {
  const versions = twoVersions(world.pods, (p, i) => withIp(p, `10.9.${i >> 8}.${i & 255}`));
  const stride = 7919;
  return () => {
    const current = [...world.pods];
    let at = 0;
    return {
      changes: 1,
      op(target) {
        at = (at + stride) % current.length;
        const next = current[at] === versions[0][at] ? versions[1][at]! : versions[0][at]!;
        current[at] = next;
        target.setPod(next);
      },
      pods: () => current,
      services: () => world.services,
    };
  };
}

/** Every pod goes, then every pod comes back: two changes each. */
export function comeAndGo(world: WorkloadObjects): () => Script {
  const keys = world.pods.map(keyOf);
  return () => ({
    changes: world.pods.length * 2,
    op(target) {
      for (let i = 0; i < keys.length; i++) target.deletePod(world.pods[i]!, keys[i]!);
      for (const pod of world.pods) target.setPod(pod);
    },
    pods: () => world.pods,
    services: () => world.services,
  });
}
