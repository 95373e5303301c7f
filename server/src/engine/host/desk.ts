// What a process of ours has on its desk once main has said what to be.
import type {Hashes} from './formulas.ts';
import type {IncidentDesk} from './incident-desk.ts';
import type {Keeper} from './keeper.ts';
import type {LiveGraph} from './live.ts';
import type {Answers} from './query/answers.ts';
import type {HostRecords} from './records.ts';
import type {Subscriptions} from './subscriptions.ts';
import type {Books, FedWorld, World} from './world.ts';

/** A running graph, or an opened file. */
export interface Desk {
  readonly id: string;
  readonly redacted: boolean;
  readonly books: Books;
  readonly world: World;
  readonly records: HostRecords;
  readonly answers: Answers;
  readonly subscriptions: Subscriptions;
  /** Absent for a file. */
  readonly fed?: FedWorld;
  /** Absent where no engine runs: a file, a program that tells its own graph. */
  readonly live?: LiveGraph;
  readonly keeper?: Keeper;
  readonly incidents?: IncidentDesk;
  /** Of an opened file: what it says of the formulas that made it. */
  readonly formulas?: Hashes | undefined;
  /** The debug document as JSON text, in pieces. */
  dump(indent: number): Iterable<string>;
}
