// For tests: a real graph on a real engine with a real recording, fed as main feeds it, in one process.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import {type QuestionInput, questionSchema} from '@krtscope/shared/questions.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';
import type {CheckSteps} from '../../../explain/checks/finding.ts';
import {PastStates} from '../../../history/past-states.ts';
import {Recording} from '../../../history/recording.ts';
import type {SourceChange, SourceReport} from '../../link/engine-link.ts';
import {PendingChanges} from '../frames/pending-changes.ts';
import {LiveGraph, type LiveGraphBuilder, shippedGraph} from '../live-graph/live-graph.ts';
import {wallClockNow} from '../live-graph/wall-clock.ts';
import {CollectionHistory} from '../recording/collection-history.ts';
import type {HostHistory} from '../recording/host-history.ts';
import {HostRecords} from '../recording/host-records.ts';
import {TraceRecorder} from '../recording/trace-recorder.ts';
import {QuestionAnswers} from './question-answers.ts';
import {checkShape} from './testing-answer-shape.ts';

export interface HostTestObject {
  metadata: {name: string; namespace?: string; labels?: Record<string, string>; [more: string]: unknown};
  [more: string]: unknown;
}

export interface TestGraphHost {
  readonly records: HostRecords;
  readonly answers: QuestionAnswers;
  readonly history: HostHistory;
  readonly live: LiveGraph;
  /** Writes one batch: objects by source; a key alone deletes. */
  write(writes: Record<string, (HostTestObject | string)[]>, writer?: WireWriter): number;
  /** The same in the form that main sends. Returns its sequence. */
  apply(changes: readonly SourceChange[]): number;
  /** Marks all sources as synced, except the named ones. */
  sync(...but: string[]): void;
  report(source: string, report: SourceReport): void;
  /** Runs the checks at so many milliseconds from now, and records changed incidents. */
  runChecks(later?: number): void;
  ask<T>(question: QuestionInput): T;
}

let version = 1;

export function keyOf(thing: HostTestObject): string {
  const {namespace, name} = thing.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

const resources: Record<string, {kind: string; namespaced: boolean}> = {
  Namespaces: {kind: 'Namespace', namespaced: false},
  Nodes: {kind: 'Node', namespaced: false},
  Pods: {kind: 'Pod', namespaced: true},
  Services: {kind: 'Service', namespaced: true},
};

function runSteps(steps: CheckSteps<Checks>): Checks {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

export function createTestGraphHost(
  graph: LiveGraphBuilder = shippedGraph,
  limits = {runs: 50_000, megabytes: 64},
): TestGraphHost {
  const lives = new CollectionHistory();
  const recording = new Recording({runs: limits.runs, bytes: limits.megabytes * 1024 * 1024}, lives, 0);
  const books: HostHistory = {
    recording,
    past: new PastStates(recording),
    gaps: [],
    collections: lives,
    limits,
  };
  const dirt = new PendingChanges();
  const keeper = new TraceRecorder(
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
    onTrace: (trace, origin) => dirt.add(keeper.record(trace, origin)),
    recorder: () => ({share: 0, heap: 0}),
  });
  const records: HostRecords = new HostRecords(books, live);
  const refresh = (): void => {
    if (!dirt.isEmpty) answers.markChanged(dirt.take());
  };
  const answers: QuestionAnswers = new QuestionAnswers(records, refresh);
  let looked = 0;
  const report = (source: string, said: SourceReport): void => {
    live.report(source, said);
    keeper.flush();
    // Like the host: a sync without changes has no batch of its own.
    if (live.fact(source)?.synced) lives.noteSynced(source, recording.newest);
  };
  const look = (later = 0): void => {
    refresh();
    const seen = recording.newest;
    const at = wallClockNow() + later;
    const checks = runSteps(answers.findingSteps(at));
    const moment = {seen, writes: recording.newest + 1, at, before: looked};
    live.journal.write('incidents', answers.updateIncidents(checks, moment));
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
    runChecks: look,
    records,
    answers,
    history: books,
    live,
    write: (writes, writer) => {
      const changes = Object.entries(writes).flatMap(([collection, things]) =>
        things.map(thing => {
          const base = {collection, received: wallClockNow(), ...(writer ? {writer} : {})};
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
      return checkShape(question.ask, answers.answer(questionSchema.parse(question) as Question) as T);
    },
  };
}

export function pod(
  name: string,
  labels: Record<string, string> = {app: 'web'},
  more: Record<string, unknown> = {},
): HostTestObject {
  const {phase = 'Running', ip = `10.0.0.${name.length}`, namespace = 'shop', ...rest} = more;
  return {
    metadata: {name, namespace: namespace as string, labels},
    spec: {nodeName: 'n1', containers: [{name: 'c', ports: [{name: 'http', containerPort: 8080}]}]},
    status: {phase, podIP: ip, conditions: [{type: 'Ready', status: 'True'}]},
    ...rest,
  };
}

export function service(
  name: string,
  selector: Record<string, string>,
  ports: number[] = [80],
): HostTestObject {
  return {
    metadata: {name, namespace: 'shop'},
    spec: {selector, clusterIP: '10.96.0.1', ports: ports.map(port => ({name: `p${port}`, port}))},
  };
}

export function namespace(name: string, labels: Record<string, string> = {}): HostTestObject {
  return {metadata: {name, labels}};
}
