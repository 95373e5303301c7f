// The interface of sessions for http/ and stream/: names, descriptions and a link to each engine process.
import type {Incidents} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {LagAnswer} from '@krtscope/shared/programs/lag.ts';
import type {ProgramWork} from '@krtscope/shared/programs/work.ts';
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
import type {Contexts, OpeningFile, SessionAnswer} from '@krtscope/shared/session.ts';
import type {AddedSource, KindsAnswer} from '@krtscope/shared/sources.ts';
import type {KindFields} from '@krtscope/shared/what-if/field-schema.ts';
import type {WhatIf, WhatIfRequest} from '@krtscope/shared/what-if/what-if.ts';
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
  /** Whether every shipped collection has settled, or the reasons why not. Brief reasons name no addresses. */
  ready(brief?: boolean): Promise<{ready: boolean; reasons: string[]}>;
  /** Tries an unreachable cluster again at once. */
  retry(): void;
  /** The `.krtrec` bytes: the recording in memory, or all between two sequences. */
  record(range?: {from?: number | undefined; to?: number | undefined}): Promise<Uint8Array>;
  /** Named moments, kept with the history. */
  readonly bookmarks: SessionBookmarkStore;
  /** TypeScript declarations for formulas, with the item types of these collections. */
  types(collections: readonly string[]): Promise<string>;
  /** The fields of a source's kind. Rejects with EngineFailure. */
  kindFields(collection: string): Promise<KindFields>;
  /** The kinds that the cluster serves and the user may list; empty without a cluster. */
  kinds(): Promise<KindsAnswer>;
  /** How far the informers of an attached program are behind their cluster. Throws EngineFailure for other sessions. */
  lag(): LagAnswer;
  work(): ProgramWork;
  /** Tries edits in a copy of the graph. Rejects with EngineFailure. `signal` aborts what still waits. */
  whatIf(request: WhatIfRequest, signal?: AbortSignal): Promise<WhatIf>;
  /** The same answer, with what a trial of each open incident's fix found. */
  tryIncidentFixes(answer: Incidents, at?: number, signal?: AbortSignal): Promise<Incidents>;
  tryOriginFix(answer: Origin, at?: number, signal?: AbortSignal): Promise<Origin>;
  /** Adds a source of any kind, named as for kubectl. Rejects with EngineFailure. */
  addSource(resource: string): Promise<AddedSource>;
  dropSource(name: string): Promise<void>;
}

export interface SessionBookmarkStore {
  list(): Promise<StoredBookmark[]>;
  add(bookmark: {name: string; sequence: number}): Promise<StoredBookmark>;
  /** Returns false if there is none with this id. */
  remove(id: string): Promise<boolean>;
}

export type SessionRequest =
  /** Without namespaces, those of the start apply, usually all. */
  | {context: string; namespaces?: string[]}
  | {demo: true}
  | {recording: Uint8Array; name: string}
  /** The id of a recording on disk whose cluster is not connected. */
  | {stored: string}
  /** A target as for `--attach`. `headers` go with each request of the document. */
  | AttachSessionRequest;

export interface AttachSessionRequest {
  krtz: string;
  name?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the log of a Pod is read. */
  log?: 'pod' | 'off' | undefined;
}

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
  /** The recordings on disk. */
  recordings(): Promise<StoredRecording[]>;
  /** Deletes one. Returns false if there is none with this id. Rejects with EngineFailure while it is written. */
  removeRecording(id: string): Promise<boolean>;
}
