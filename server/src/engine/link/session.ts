// The interface of sessions for http/ and stream/: names, descriptions and a link to each engine process.
import type {Contexts, OpeningFile, SessionAnswer} from '@krtscope/shared/session.ts';
import type {AddedSource, KindsAnswer} from '@krtscope/shared/sources.ts';
import type {EngineLink} from './engine-link.ts';
import type {FormulaApi} from './formula-api.ts';

export interface OpenSession {
  readonly name: string;
  readonly link: EngineLink;
  readonly formulas: FormulaApi;
  /** The current state of cluster, engine and recording. */
  describe(): SessionAnswer;
  /** Called when the result of describe() changed. */
  onChange(f: () => void): () => void;
  /** Called once when the session is closed. */
  onEnd(f: () => void): () => void;
  /** Whether every shipped collection has settled, or the reasons why not. */
  ready(): Promise<{ready: boolean; reasons: string[]}>;
  /** Tries an unreachable cluster again at once. */
  retry(): void;
  /** The `.krtrec` bytes. */
  record(): Promise<Uint8Array>;
  /** TypeScript declarations for formulas, with the item types of these collections. */
  types(collections: readonly string[]): Promise<string>;
  /** The kinds that the cluster serves and the user may list; empty without a cluster. */
  kinds(): Promise<KindsAnswer>;
  /** Adds a source of any kind, named as for kubectl. Rejects with EngineFailure. */
  addSource(resource: string): Promise<AddedSource>;
  dropSource(name: string): Promise<void>;
}

export type SessionRequest =
  /** Without namespaces, those of the start apply, usually all. */
  | {context: string; namespaces?: string[]}
  | {demo: true}
  | {recording: Uint8Array; name: string}
  /** The address of a krtz document. Its host is the default name. */
  | {krtz: string; name?: string};

export interface Sessions {
  /** The session that was opened at the start. */
  first(): OpenSession;
  /** The session with this name; undefined gives the first. */
  find(name: string | undefined): OpenSession | undefined;
  list(): OpenSession[];
  /** Recordings that are still being read. They are not sessions yet. */
  opening(): OpeningFile[];
  /**
   * Opens a session, or returns the one that is already open. Rejects with EngineFailure. `left` aborts the reading
   * of a file.
   */
  open(request: SessionRequest, left?: AbortSignal): Promise<OpenSession>;
  close(name: string): Promise<boolean>;
  contexts(): Promise<Contexts>;
}
