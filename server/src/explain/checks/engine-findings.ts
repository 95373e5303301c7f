// What the engine itself reports: broken promises, and formulas that fail. One finding a code and collection.
import type {Severity} from '@krtscope/shared/vocabulary.ts';
import type {ViolationCode} from '../../krt/index.ts';
import type {ViolationFacts} from '../records.ts';
import {firstLine, nameOf} from '../wording/sentence.ts';
import type {CheckContext, Finding} from './finding.ts';

interface ViolationWording {
  readonly severity: Severity;
  readonly title: (v: ViolationFacts, keys: number) => string;
  readonly hint: string;
}

/** A recording of another release may hold codes that are not among them. */
const violationWordings: Record<ViolationCode | 'set-aside', ViolationWording> = {
  'set-aside': {
    severity: 'error',
    title: (v, keys) =>
      `${keys} ${keys === 1 ? 'object' : 'objects'} of ${v.collection} set aside, and not shown`,
    hint: 'its next change is tried again; more memory may help: --engine-memory',
  },
  'duplicate-in-result': {
    severity: 'error',
    title: v => `One run yields a key twice in ${v.collection}`,
    hint: 'give outputs of one input different keys',
  },
  'duplicate-across-inputs': {
    severity: 'error',
    title: (v, keys) =>
      `${keys} ${keys === 1 ? 'key is' : 'keys are'} claimed by several inputs in ${v.collection}`,
    hint: 'put the input into the key, or join the inputs before this collection',
  },
  'untracked-read': {
    severity: 'error',
    title: v => `${v.collection} reads a collection without fetch`,
    hint: 'read through fetch: a change of what is read by list or lookup wakes nobody',
  },
  'mutated-input': {
    severity: 'error',
    title: v => `${v.collection} changes its input`,
    hint: 'copy before changing: others hold the same object',
  },
  'mutated-fetch': {
    severity: 'error',
    title: v => `${v.collection} changes what it fetched`,
    hint: 'copy before changing: others hold the same object',
  },
  'map-key': {
    severity: 'error',
    title: v => `${v.collection} maps items to other keys`,
    hint: 'a map keeps keys; use a derived collection',
  },
  'non-deterministic': {
    severity: 'error',
    title: v => `${v.collection} gives different results for the same input`,
    hint: 'take time, chance and counters out of the formula, or bring them in as a collection',
  },
  'never-equal': {
    severity: 'warning',
    title: v => `${v.collection} never finds its results equal`,
    hint: 'compare values, not identities: the results serialise identically',
  },
  cycle: {
    severity: 'error',
    title: v => `${v.collection} reads itself in a circle`,
    hint: 'split the collection where the circle closes',
  },
  'join-overlap': {
    severity: 'warning',
    title: v => `Members of ${v.collection} share keys`,
    hint: 'the first member wins; use a merge join if both count',
  },
  'handler-failed': {
    severity: 'error',
    title: v => `A handler of ${v.collection} failed`,
    hint: 'the others still ran; see the message',
  },
  'index-failed': {
    severity: 'error',
    title: (v, keys) => `An index of ${v.collection} cannot file ${rowCountWords(keys)}`,
    hint: 'the row is in no bucket, so no fetch by this index finds it; make the function of the index take every row',
  },
  'attribute-failed': {
    severity: 'error',
    title: (v, keys) =>
      `Labels, namespace or selector of ${rowCountWords(keys)} of ${v.collection} cannot be read`,
    hint: 'filters take it for empty; make the function in the options of the collection take every row',
  },
  'map-failed': {
    severity: 'error',
    title: (v, keys) => `${v.collection} cannot compute ${rowCountWords(keys)}`,
    hint: 'what was there before stays and grows old; make the function take every item',
  },
  'foreign-member': {
    severity: 'error',
    title: v => `${v.collection} was given a collection of another engine`,
    hint: 'it is left out; make the collection in the engine that joins it',
  },
  'listener-failed': {
    severity: 'error',
    title: () => 'A listener of the engine failed',
    hint: 'the others were told; what this one follows may have a gap',
  },
  'full-scan': {
    severity: 'warning',
    title: v => `${v.collection} scans on every fetch`,
    hint: 'add an index over what the filter asks for',
  },
};

function rowCountWords(count: number): string {
  return count === 1 ? 'a row' : `${count} rows`;
}

function violationFinding(violations: readonly ViolationFacts[]): Finding {
  const [first] = violations as [ViolationFacts, ...ViolationFacts[]];
  const keys = violations.flatMap(v => v.keys.slice(0, 1));
  const words = (violationWordings as Partial<Record<string, ViolationWording>>)[first.code];
  const newest = violations.reduce((a, b) => (b.sequence > a.sequence ? b : a));
  const [key] = keys;
  return {
    code: first.code,
    severity: words?.severity ?? 'warning',
    collection: first.collection,
    keys: keys.slice(0, 100),
    title: words?.title(first, keys.length) ?? `${first.code} in ${first.collection}`,
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

/** Inputs whose last run threw: their last good rows stay and grow old. */
export function failedFindings({records, at}: CheckContext): Finding[] {
  return records.collections(at).flatMap(({name}): Finding[] => {
    const inputs = [...records.failedInputs(name, at)].sort();
    const [first] = inputs;
    if (first === undefined) return [];
    const run = records.lastRun(name, first, at);
    const error = firstLine(run?.error ?? 'no message');
    return [
      {
        code: 'failed',
        severity: 'error',
        collection: name,
        keys: inputs.slice(0, 100),
        title: `${inputs.length} ${inputs.length === 1 ? 'run' : 'runs'} of ${name} failed`,
        message: `${nameOf({collection: name, key: first})}: ${error}${inputs.length > 1 ? ` and ${inputs.length - 1} more inputs` : ''}`,
        count: inputs.length,
        evidence: {item: {collection: name, key: first}},
        ...(run ? {sequence: run.sequence} : {}),
      },
    ];
  });
}
