// The two ways to a desk: a graph that begins, running here or told by a program, and a file that has been read.
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import type {CollectionFacts} from '../../explain/records.ts';
import {PastStates} from '../../history/past-states.ts';
import {Recording} from '../../history/recording.ts';
import type {BatchTrace} from '../../krt/index.ts';
import type {FromHost, StartOptions} from '../link/messages.ts';
import type {Announcer} from './announcer.ts';
import type {Desk} from './desk.ts';
import {IncidentDesk} from './incident-desk.ts';
import {Keeper} from './keeper.ts';
import {type GraphModule, LiveGraph, type Origin, wallClock} from './live.ts';
import {Lives} from './lives.ts';
import {FRAME} from './pace.ts';
import {Answers} from './query/answers.ts';
import type {OpenedBooks} from './recorded.ts';
import {HostRecords} from './records.ts';
import type {Slices} from './slices.ts';
import {Subscriptions} from './subscriptions.ts';
import {ToldGraph} from './told.ts';
import type {Books} from './world.ts';

/** What a desk needs of the process that it stands in. */
export interface Around {
  readonly announcer: Announcer;
  readonly slices: Slices;
  send(message: FromHost): void;
  /** Tells the views what changed, before anyone reads from them. */
  refresh(): void;
  /** Collections came or went; the lives know. */
  regraphed(): void;
  settled(keeper: Keeper, trace: BatchTrace, origin: Origin): void;
}

export function runningDesk(options: StartOptions, graph: GraphModule, around: Around): Desk {
  const {firstSequence, sources, recording: id, redacted} = options;
  const limits = {runs: options.historyRuns, megabytes: options.historyMb};
  const lives = new Lives();
  const recording = new Recording(
    {runs: limits.runs, bytes: limits.megabytes * 1024 * 1024},
    lives,
    firstSequence,
  );
  const books: Books = {recording, past: new PastStates(recording), gaps: [], lives, limits};
  let records: HostRecords | undefined;
  let subscriptions: Subscriptions | undefined;
  const kept = (): RetainedHistory => records?.kept() ?? {...recording.kept, oldest: 0, newest: 0, limits};
  const keeper = new Keeper(books, message => around.send(message), kept);
  if (options.resumes) keeper.hold();
  const common = {
    firstSequence,
    onGraph: (facts: readonly CollectionFacts[]) => {
      books.lives.update(facts, recording.newest, recording.oldest);
      around.regraphed();
    },
    onTrace: (trace: BatchTrace, origin: Origin) => around.settled(keeper, trace, origin),
    recorder: () => ({
      share: keeper.share,
      cost: keeper.cost,
      heap: process.memoryUsage().heapUsed,
      frame: subscriptions?.frame ?? FRAME,
    }),
  };
  const live = options.told
    ? undefined
    : new LiveGraph({
        ...common,
        sources,
        graph,
        announcer: around.announcer,
        revision: (name, at) => lives.revision(name, at),
        build: (module, at) => lives.build(module, at),
      });
  const fed = live ?? new ToldGraph({...common, books});
  records = new HostRecords(books, fed);
  const desk = laidOut(
    {
      id,
      redacted,
      books,
      world: fed,
      records,
      fed,
      ...(live === undefined ? {} : {live}),
      keeper,
      dump: indent => fed.dump(indent),
    },
    around,
  );
  subscriptions = desk.subscriptions;
  return desk;
}

export function openedDesk({books, world, header, dump}: OpenedBooks, around: Around): Desk {
  return laidOut(
    {
      id: header.recording,
      redacted: header.redacted,
      books,
      world,
      records: new HostRecords(books, world),
      formulas: world.facts.formulas,
      dump,
    },
    around,
  );
}

function laidOut(desk: Omit<Desk, 'answers' | 'subscriptions' | 'incidents'>, around: Around): Desk {
  const {fed, books, keeper, records} = desk;
  const refresh = () => around.refresh();
  const answers = new Answers(records, refresh);
  const incidents =
    fed &&
    new IncidentDesk({
      books,
      live: fed,
      answers,
      slices: around.slices,
      refresh,
      onFault: error => around.send({type: 'broken', message: `incidents: ${String(error)}`}),
    });
  const subscriptions = new Subscriptions({
    answer: question => answers.answer(question),
    later: (question, done, failed) => answers.later(question, around.slices, done, failed),
    send: message => {
      keeper?.flush();
      around.send(message);
    },
    sequence: () => books.recording.newest,
    refresh,
    now: wallClock,
  });
  return {...desk, answers, subscriptions, ...(incidents ? {incidents} : {})};
}
