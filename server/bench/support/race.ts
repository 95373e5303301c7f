// One workload over W1's graph: every contender runs the same script, is timed, and is checked against the oracle.
import type {Contender, Workloads} from '../contenders/contender.ts';
import {krtscope, krtscopeSingleWrites} from '../contenders/krt-engine.ts';
import {type Budget, measure} from './measure.ts';
import type {Row} from './result-row.ts';
import {fingerprint, oracle, type Pod, type Service, type WorkloadObjects} from './workload-objects.ts';

/** What happens to the sources, operation by operation. Each contender gets a script of its own. */
export interface Script {
  op(target: Workloads): void;
  pods(): Iterable<Pod>;
  services(): Iterable<Service>;
  /** Changes of the last stage that one operation must announce, exactly. */
  readonly changes: number;
}

export interface Race {
  readonly contenders: readonly Contender[];
  readonly world: WorkloadObjects;
  readonly script: () => Script;
  readonly stages?: number;
  readonly budget?: Budget;
}

/** Milliseconds of one operation by contender, and what was wrong, if anything. */
export interface Result {
  readonly times: Readonly<Record<string, number>>;
  readonly wrong: string | undefined;
}

export function race({contenders, world, script, stages = 1, budget}: Race): Result {
  const all = contenders.includes(krtscope) ? [...contenders, krtscopeSingleWrites] : contenders;
  const entries = all.map(contender => {
    const target = contender.create(world, stages);
    const own = script();
    const start = target.changes();
    let ops = 0;
    return {
      name: contender.name,
      op: () => {
        ops++;
        own.op(target);
      },
      check: () => {
        const told = target.changes() - start;
        if (told !== ops * own.changes) return `${told} changes told, ${ops * own.changes} expected`;
        return compare(target, own, stages);
      },
    };
  });
  const {[krtscopeSingleWrites.name]: single = 0, ...times} = measure(entries, budget);
  if (single > (times.krtscope ?? single)) times.krtscope = single;
  for (const entry of entries) {
    const wrong = entry.check();
    if (wrong !== undefined) return {times, wrong: `${entry.name}: ${wrong}`};
  }
  return {times, wrong: undefined};
}

function compare(target: Workloads, script: Script, stages: number): string | undefined {
  const expected = oracle(script.pods(), script.services(), stages);
  let n = 0;
  for (const row of target.rows()) {
    n++;
    if (expected.get(row.key) !== fingerprint(row))
      return `${row.key}: ${fingerprint(row)}, not ${expected.get(row.key)}`;
  }
  return n === expected.size ? undefined : `${n} rows, ${expected.size} expected`;
}

/** The row of a race: our own time and the others', in the unit that reads best. */
export function rowOf(name: string, result: Result, unit: 'ms' | 'us', goals: Row['goals']): Row {
  const scale = unit === 'us' ? 1000 : 1;
  const others: Record<string, number> = {};
  for (const [who, time] of Object.entries(result.times)) if (who !== 'krtscope') others[who] = time * scale;
  const row = {name, value: result.times.krtscope! * scale, unit, others, goals: goals ?? []};
  return result.wrong === undefined ? row : {...row, wrong: result.wrong};
}

export function against(result: Result, other: string): number {
  return result.times.krtscope! / result.times[other]!;
}

/** The limit over floor-fn, or the ratio that preact-signals reaches in this run if that is higher. */
export function atLeastSignals(limit: number, {times}: Result): number {
  return Number(Math.max(limit, times['preact-signals']! / times['floor-fn']!).toFixed(2));
}
