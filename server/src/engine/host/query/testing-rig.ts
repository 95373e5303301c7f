// For tests: a real graph on a real engine with the real recording behind it, fed as main feeds it, in one process.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import {type QuestionInput, questionSchema} from '@krtscope/shared/questions.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';
import {PastStates} from '../../../history/past-states.ts';
import {Recording} from '../../../history/recording.ts';
import type {SourceChange, SourceReport} from '../../link/link.ts';
import {Dirt} from '../dirt.ts';
import {Keeper} from '../keeper.ts';
import {type GraphModule, LiveGraph, shippedGraph, wallClock} from '../live.ts';
import {Lives} from '../lives.ts';
import {HostRecords} from '../records.ts';
import type {Books} from '../world.ts';
import {Answers} from './answers.ts';
import {shaped} from './testing-shape.ts';

export interface Thing {
  metadata: {name: string; namespace?: string; labels?: Record<string, string>; [more: string]: unknown};
  [more: string]: unknown;
}

export interface Rig {
  readonly records: HostRecords;
  readonly answers: Answers;
  readonly books: Books;
  readonly live: LiveGraph;
  /** One batch of writes: things by source; a key alone deletes. */
  write(writes: Record<string, (Thing | string)[]>, writer?: WireWriter): number;
  /** The same as main sends it; its sequence. */
  apply(changes: readonly SourceChange[]): number;
  /** All sources synced, but those named. */
  sync(...but: string[]): void;
  report(source: string, report: SourceReport): void;
  /** Makes the checks and writes down what becomes of the incidents, so many milliseconds from now. */
  look(later?: number): void;
  ask<T>(question: QuestionInput): T;
}

let version = 1;

export function keyOf(thing: Thing): string {
  const {namespace, name} = thing.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

const resources: Record<string, {kind: string; namespaced: boolean}> = {
  Namespaces: {kind: 'Namespace', namespaced: false},
  Nodes: {kind: 'Node', namespaced: false},
  Pods: {kind: 'Pod', namespaced: true},
  Services: {kind: 'Service', namespaced: true},
};

export function rig(graph: GraphModule = shippedGraph, limits = {runs: 50_000, megabytes: 64}): Rig {
  const lives = new Lives();
  const recording = new Recording({runs: limits.runs, bytes: limits.megabytes * 1024 * 1024}, lives, 0);
  const books: Books = {recording, past: new PastStates(recording), gaps: [], lives, limits};
  const dirt = new Dirt();
  const keeper = new Keeper(
    books,
    () => {},
    () => records.kept(),
  );
  const live: LiveGraph = new LiveGraph({
    firstSequence: 0,
    sources: Object.entries(resources)
      .filter(([name]) => graph.sources.includes(name))
      .map(([collection, {kind, namespaced}]) => ({
        collection,
        resource: {group: '', version: 'v1', resource: collection.toLowerCase(), kind, namespaced},
      })),
    graph,
    onGraph: facts => lives.update(facts, recording.newest),
    onTrace: (trace, origin) => dirt.add(keeper.take(trace, origin)),
    recorder: () => ({share: 0, heap: 0}),
  });
  const records: HostRecords = new HostRecords(books, live);
  const refresh = (): void => {
    if (!dirt.isClean) answers.touch(dirt.take());
  };
  const answers: Answers = new Answers(records, refresh);
  let looked = 0;
  const report = (source: string, said: SourceReport): void => {
    live.report(source, said);
    keeper.flush();
    // As the host does: a sync that changes nothing has no batch to tell of it.
    if (live.fact(source)?.synced) lives.noteSynced(source, recording.newest);
  };
  const look = (later = 0): void => {
    refresh();
    const seen = recording.newest;
    const checks = answers.answer({ask: 'checks'}) as Checks;
    const moment = {seen, writes: recording.newest + 1, at: wallClock() + later, before: looked};
    live.journal.write('incidents', answers.book(checks, moment));
    keeper.flush();
    looked = seen;
  };
  const apply = (changes: readonly SourceChange[]): number => {
    live.apply(changes);
    const sequence = recording.newest;
    live.settle();
    keeper.flush();
    return sequence;
  };
  return {
    look,
    records,
    answers,
    books,
    live,
    write: (writes, writer) => {
      const changes = Object.entries(writes).flatMap(([collection, things]) =>
        things.map(thing => {
          const base = {collection, received: wallClock(), ...(writer ? {writer} : {})};
          if (typeof thing === 'string') return {...base, key: thing, event: 'delete' as const};
          const metadata = {resourceVersion: String(version++), ...thing.metadata};
          return {...base, key: keyOf(thing), event: 'update' as const, new: {...thing, metadata}};
        }),
      );
      return apply(changes);
    },
    apply,
    sync: (...but) => {
      for (const name of graph.sources)
        if (!but.includes(name)) report(name, {state: 'synced', synced: true});
    },
    report,
    ask: <T>(question: QuestionInput): T => {
      refresh();
      return shaped(question.ask, answers.answer(questionSchema.parse(question) as Question) as T);
    },
  };
}

export function pod(
  name: string,
  labels: Record<string, string> = {app: 'web'},
  more: Record<string, unknown> = {},
): Thing {
  const {phase = 'Running', ip = `10.0.0.${name.length}`, namespace = 'shop', ...rest} = more;
  return {
    metadata: {name, namespace: namespace as string, labels},
    spec: {nodeName: 'n1', containers: [{name: 'c', ports: [{name: 'http', containerPort: 8080}]}]},
    status: {phase, podIP: ip, conditions: [{type: 'Ready', status: 'True'}]},
    ...rest,
  };
}

export function service(name: string, selector: Record<string, string>, ports: number[] = [80]): Thing {
  return {
    metadata: {name, namespace: 'shop'},
    spec: {selector, clusterIP: '10.96.0.1', ports: ports.map(port => ({name: `p${port}`, port}))},
  };
}

export function namespace(name: string, labels: Record<string, string> = {}): Thing {
  return {metadata: {name, labels}};
}
