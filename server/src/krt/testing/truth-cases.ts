// The recorded cases (testdata/*.jsonl) of Istio's own krt, parsed and typed.
import byNode from './testdata/byNode.jsonl?raw';
import diamond from './testdata/diamond.jsonl?raw';
import discard from './testdata/discard.jsonl?raw';
import endpoints from './testdata/endpoints.jsonl?raw';
import generic from './testdata/generic.jsonl?raw';
import join from './testdata/join.jsonl?raw';
import keys from './testdata/keys.jsonl?raw';
import labels from './testdata/labels.jsonl?raw';
import merge from './testdata/merge.jsonl?raw';
import nested from './testdata/nested.jsonl?raw';
import partial from './testdata/partial.jsonl?raw';
import selects from './testdata/selects.jsonl?raw';
import status from './testdata/status.jsonl?raw';
import tally from './testdata/tally.jsonl?raw';
import trigger from './testdata/trigger.jsonl?raw';
import workloads from './testdata/workloads.jsonl?raw';

export interface TruthObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly selector?: Readonly<Record<string, string>>;
  readonly ip?: string;
  readonly phase?: string;
  readonly node?: string;
  readonly data?: Readonly<Record<string, string>>;
}

export interface TruthOperation {
  readonly do: 'set' | 'setIf' | 'delete' | 'reset' | 'value' | 'trigger' | 'attach' | 'detach';
  readonly source: string;
  readonly obj?: TruthObject;
  readonly objs?: readonly TruthObject[];
  readonly key?: string;
  readonly value?: string;
}

export type TruthRows = Readonly<Record<string, unknown>>;

export interface TruthStep {
  readonly ops: readonly TruthOperation[];
  readonly changes?: Readonly<Record<string, TruthRows>>;
  readonly runs?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface TruthCase {
  readonly graph: string;
  readonly seed: number;
  readonly initial: Readonly<Record<string, readonly TruthObject[]>>;
  readonly start: Readonly<Record<string, TruthRows>>;
  readonly steps: readonly TruthStep[];
}

function parse(text: string): TruthCase[] {
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as TruthCase);
}

export const truthCases: ReadonlyMap<string, readonly TruthCase[]> = new Map(
  Object.entries({
    byNode,
    diamond,
    discard,
    endpoints,
    generic,
    join,
    keys,
    labels,
    merge,
    nested,
    partial,
    selects,
    status,
    tally,
    trigger,
    workloads,
  }).map(([graph, text]) => [graph, parse(text)]),
);
