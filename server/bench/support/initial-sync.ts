// Times the building of a whole graph over sources that are there already, and checks what stands after it.
import type {Contender, Workloads} from '../contenders/contender.ts';
import {measureOnce} from './measure.ts';
import type {Result} from './race.ts';
import {fingerprint, oracle, type WorkloadObjects} from './workload-objects.ts';

export function sync(contenders: readonly Contender[], world: WorkloadObjects, rounds: number): Result {
  const built = new Map<string, Workloads>();
  const timed = contenders.map(contender => ({
    name: contender.name,
    op: () => {
      built.set(contender.name, contender.create(world, 1));
    },
  }));
  const expected = oracle(world.pods, world.services);
  // One small construction each first: the first round would otherwise time the interpreter.
  const few = {pods: world.pods.slice(0, 2000), services: world.services};
  for (const contender of contenders) contender.create(few, 1);
  const best: Record<string, number> = {};
  let wrong: string | undefined;
  for (let r = 0; r < rounds; r++) {
    for (let i = 0; i < timed.length; i++) {
      const t = timed[(i + r) % timed.length]!;
      const took = measureOnce([t], 1)[t.name]!;
      best[t.name] = Math.min(best[t.name] ?? Number.POSITIVE_INFINITY, took);
      if (r === 0) wrong ??= check(t.name, built.get(t.name)!, expected);
      built.delete(t.name);
    }
  }
  return {times: best, wrong};
}

function check(
  name: string,
  workloads: Workloads,
  expected: ReadonlyMap<string, string>,
): string | undefined {
  if (workloads.changes() !== expected.size)
    return `${name}: ${workloads.changes()} adds, not ${expected.size}`;
  let n = 0;
  for (const row of workloads.rows()) {
    n++;
    if (expected.get(row.key) !== fingerprint(row)) return `${name}: ${row.key} is ${fingerprint(row)}`;
  }
  return n === expected.size ? undefined : `${name}: ${n} rows, not ${expected.size}`;
}
