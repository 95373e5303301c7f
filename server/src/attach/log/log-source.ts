// Where the log of an attached program comes from: a file, or a Pod.

export interface LogSource {
  /** The file or the Pod, for people. */
  readonly text: string;
  /** Reads what is added from now on. */
  start(receiver: LogReceiver): void;
  stop(): Promise<void>;
}

export interface LogReceiver {
  data(piece: Uint8Array): void;
  /** Another file or another process begins. */
  restart(): void;
  /** Why nothing can be read; undefined if it can. */
  problem(reason: string | undefined): void;
}
