// What http/ and stream/ know of sessions: names, descriptions and a link to each one's engine process.
import type {Contexts, OpeningFile, SessionAnswer} from '@krtscope/shared/session.ts';
import type {AddedSource, KindsAnswer} from '@krtscope/shared/sources.ts';
import type {EngineLink} from './engine-link.ts';
import type {FormulaApi} from './formula-api.ts';

export interface OpenSession {
  readonly name: string;
  readonly link: EngineLink;
  readonly formulas: FormulaApi;
  /** The state of the cluster, the engine and the recording right now. */
  describe(): SessionAnswer;
  /** Called when what describe() says changed. */
  onChange(f: () => void): () => void;
  /** Called once when it is closed: nothing new will ever be said of it. */
  onEnd(f: () => void): () => void;
  /** Every shipped collection settled, or the reasons why not. */
  ready(): Promise<{ready: boolean; reasons: string[]}>;
  /** Try an unreachable cluster again at once. */
  retry(): void;
  /** The `.krtrec` bytes. */
  record(): Promise<Uint8Array>;
  /** TypeScript declarations of what a formula finds in scope, with the item types of these collections. */
  types(collections: readonly string[]): Promise<string>;
  /** What the cluster serves and the user may list; nothing where there is no cluster. */
  kinds(): Promise<KindsAnswer>;
  /** A source of any kind, named as kubectl would take it. Rejects with EngineFailure. */
  addSource(resource: string): Promise<AddedSource>;
  dropSource(name: string): Promise<void>;
}

export type SessionRequest =
  /** Without namespaces: those of the start, usually all. */
  | {context: string; namespaces?: string[]}
  | {demo: true}
  | {recording: Uint8Array; name: string}
  /** The address of a krtz document; without a name its host's. */
  | {krtz: string; name?: string};

export interface Sessions {
  /** The one that start chose. */
  first(): OpenSession;
  /** By name; undefined gives the first. */
  find(name: string | undefined): OpenSession | undefined;
  list(): OpenSession[];
  /** Recordings that are being read: no sessions yet. */
  opening(): OpeningFile[];
  /** Opens, or gives the one that is open already. Rejects with an EngineFailure. A file that `left` gives up is not read on. */
  open(request: SessionRequest, left?: AbortSignal): Promise<OpenSession>;
  close(name: string): Promise<boolean>;
  contexts(): Promise<Contexts>;
}
