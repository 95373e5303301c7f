// Turns what the engine reports into findings, one for each code and collection: broken promises and failing formulas.
import type {ViolationFacts} from '../records.ts';
import {failedRunsWords, unknownViolationTitle, violationWords} from '../wording/engine-check-sentence.ts';
import type {CheckContext, Finding} from './finding.ts';

const warnings: ReadonlySet<string> = new Set(['never-equal', 'join-overlap', 'full-scan']);

function violationFinding(violations: readonly ViolationFacts[]): Finding {
  const [first] = violations as [ViolationFacts, ...ViolationFacts[]];
  const keys = violations.flatMap(v => v.keys.slice(0, 1));
  const words = (violationWords as Partial<typeof violationWords>)[first.code as keyof typeof violationWords];
  const newest = violations.reduce((a, b) => (b.sequence > a.sequence ? b : a));
  const [key] = keys;
  return {
    code: first.code,
    severity: words === undefined || warnings.has(first.code) ? 'warning' : 'error',
    collection: first.collection,
    keys: keys.slice(0, 100),
    title: words?.title(first.collection, keys.length) ?? unknownViolationTitle(first.code, first.collection),
    message: newest.message,
    sequence: newest.sequence,
    count: violations.reduce((sum, v) => sum + v.count, 0),
    ...(key !== undefined ? {evidence: {item: {collection: first.collection, key}}} : {}),
    ...(words ? {hint: words.hint} : {}),
  };
}

function byKey(a: ViolationFacts, b: ViolationFacts): number {
  return (a.keys[0] ?? '') < (b.keys[0] ?? '') ? -1 : 1;
}

export function violationFindings({records, at}: CheckContext): Finding[] {
  const groups = new Map<string, ViolationFacts[]>();
  for (const violation of records.violations(at)) {
    const id = `${violation.code}\n${violation.collection}`;
    groups.set(id, [...(groups.get(id) ?? []), violation]);
  }
  return [...groups.values()].map(group => violationFinding(group.sort(byKey)));
}

/** Inputs whose last run threw: their last good rows stay and get old. */
export function failedFindings({records, at}: CheckContext): Finding[] {
  return records.collections(at).flatMap(({name}): Finding[] => {
    const inputs = [...records.failedInputs(name, at)].sort();
    const [first] = inputs;
    if (first === undefined) return [];
    const run = records.lastRun(name, first, at);
    return [
      {
        code: 'failed',
        severity: 'error',
        collection: name,
        keys: inputs.slice(0, 100),
        ...failedRunsWords({collection: name, key: first}, inputs.length, run?.error),
        count: inputs.length,
        evidence: {item: {collection: name, key: first}},
        ...(run ? {sequence: run.sequence} : {}),
      },
    ];
  });
}
