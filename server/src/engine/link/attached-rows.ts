// The rows of the hidden collection `attached`: what main knows about an attached program and the engine cannot see.
import type {WorkFact} from '@krtscope/shared/programs/work.ts';

/** Its key is `document`. Present while no document arrives. */
export interface MissingDocumentRow {
  key: 'document';
  program: string;
  since: number;
  reason: string;
  hint?: string | undefined;
  /** Whether the log still tells about changes. */
  hasLog: boolean;
  /** Whether there has been a document. */
  hasRows: boolean;
}

/** Its key is `lag:` and the collection. Present while rows of an informer differ from the cluster for long. */
export interface LagFindingRow {
  key: string;
  program: string;
  collection: string;
  resource: string;
  /** Longest first. */
  rows: {key: string; state: 'behind' | 'missing' | 'extra'; since: number}[];
  count: number;
}

/** Its key is `work:`, the code and the collection. */
export interface WorkFindingRow {
  key: string;
  program: string;
  fact: WorkFact;
}

export type AttachedRow = MissingDocumentRow | LagFindingRow | WorkFindingRow;
