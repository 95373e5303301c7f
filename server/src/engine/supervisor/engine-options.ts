// What an engine process is started with, as far as main decides it.
import type {SourceSpec} from '../link/engine-link.ts';

export interface EngineProcessSettings {
  name: string;
  memoryMb: number;
  historyRuns: number;
  historyMb: number;
  redacted: boolean;
  recording?: string;
  firstSequence?: number;
  sources: SourceSpec[];
  /** Milliseconds without a heartbeat that mean it is stuck; 20 s by default, above the longest honest batch. */
  silenceMs?: number;
  /** Milliseconds of health after which a second process is loaded and waits, to take over faster; 10 s by default. */
  spareMs?: number;
  /** It runs no graph: a program tells its own. */
  told?: boolean;
  /** The URL of a module with another graph; see GraphModule in host/live.ts. */
  graph?: string;
  /** How much of a file has been read, from 0 to 1. */
  onOpening?(share: number): void;
  /** One line about what happened, for the log. */
  log?(message: string, fields: Record<string, unknown>): void;
}

/** What of EngineOptions also counts when there is no cluster. */
export type OpenRecordingOptions = Pick<
  EngineProcessSettings,
  'name' | 'memoryMb' | 'silenceMs' | 'onOpening' | 'log'
> & {
  /** Whoever waits for the file has left: its process is ended and the opening rejects. */
  signal?: AbortSignal;
};
