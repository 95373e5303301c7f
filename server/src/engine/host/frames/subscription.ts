// One subscription: what it asks, what must happen for its answer to change, and what it was last sent.
import type {Signal} from '@krtscope/shared/field-managers.ts';
import {facetsOf, type Question} from '@krtscope/shared/questions.ts';
import type {RunRecord} from '@krtscope/shared/run.ts';
import type {Sheet} from '@krtscope/shared/sheet.ts';
import {batchPriority} from '../../../explain/evidence/write-priority.ts';
import {toWireRun} from '../../../explain/wire-run.ts';
import type {Batch} from '../../../history/batch.ts';
import {journals} from '../../../history/journal.ts';
import {hiddenCollections} from '../../link/hidden-collections.ts';
import {BatchView} from '../recording/batch-view.ts';
import {toRecordedRun} from '../recording/recorded-run.ts';
import {type Differ, GraphDiffer, TableDiffer, WholeDiffer} from './deltas.ts';
import {FRAME_MS} from './frame-rate.ts';

/** Answers that look at the whole recording, that nobody reads twenty times a second, or that only others changed. */
export const SLOW_INTERVAL_MS = 250;

export interface HostSubscription {
  readonly id: number;
  readonly question: Question;
  readonly differ: Differ<unknown>;
  readonly interval: number;
  /** Runs since the last frame, of a trace that may be sent as a delta. */
  news: RunRecord[] | undefined;
  skipped: number;
  /** Collections that a change must touch to matter; undefined: any. */
  concerns: ReadonlySet<string> | undefined;
  dirty: boolean;
  /** Only by what happened to others: its own row is as it was. */
  beside: boolean;
  /** An answer that takes long is under way: the next one waits for its end. */
  pending: boolean;
  sent: number;
  /** Milliseconds of the last answer, and the less of the last two: one that met something else says nothing. */
  took: number;
  cost: number;
  failure: string | undefined;
}

export function createSubscription(id: number, question: Question): HostSubscription {
  return {
    id,
    question,
    differ: differFor(question),
    interval: facetsOf(question.ask).slow ? SLOW_INTERVAL_MS : FRAME_MS,
    news: undefined,
    skipped: 0,
    concerns: watchedCollectionsOf(question),
    dirty: false,
    beside: false,
    pending: false,
    sent: 0,
    took: Number.POSITIVE_INFINITY,
    cost: 0,
    failure: undefined,
  };
}

/** What programs say of their controllers. */
const controllerCollections: ReadonlySet<string> = new Set([
  hiddenCollections.controllers,
  hiddenCollections.requests,
  hiddenCollections.attempts,
]);

function watchedCollectionsOf(question: Question): ReadonlySet<string> | undefined {
  if (question.ask === 'window') return new Set([question.collection]);
  if (question.ask === 'controllers' || question.ask === 'requests' || question.ask === 'request')
    return controllerCollections;
  return question.ask === 'incidents' ? new Set([journals.incidents]) : undefined;
}

function differFor(question: Question): Differ<unknown> {
  switch (question.ask) {
    case 'graph':
      return new GraphDiffer() as Differ<unknown>;
    case 'window':
    case 'sheet':
      return new TableDiffer(question.ask) as Differ<unknown>;
    default:
      return new WholeDiffer(question.ask);
  }
}

/** A question about one moment of the past has one answer for good. */
export function isPinned(question: Question): boolean {
  return 'at' in question && question.at !== undefined;
}

export function collectionsOf(sheet: Sheet): ReadonlySet<string> {
  return new Set([sheet.root, ...sheet.columns.map(({collection}) => collection)]);
}

export function isTouchedBy(concerns: ReadonlySet<string> | undefined, batch: Batch): boolean {
  if (concerns === undefined) return true;
  for (const {collection} of batch.roots) if (concerns.has(collection)) return true;
  for (const {collection} of batch.runs) if (concerns.has(collection)) return true;
  // Views without runs, such as indexes.
  for (const node of batch.changeNodes)
    if (node !== undefined && concerns.has(node.published.collection)) return true;
  return false;
}

/**
 * Whether a batch changed what is asked about, or ran it. An item's answer tells of its neighbours, too, so that every batch
 * may change it: in a busy cluster it would be made twenty times a second for others, and its own change would wait.
 */
export function isAbout(question: Question, batch: Batch): boolean {
  if (question.ask !== 'item') return true;
  const {collection, key} = question;
  for (const node of batch.changeNodes)
    if (node?.published.collection === collection && node.published.key === key) return true;
  for (const node of batch.runNodes) {
    if (node?.run.collection !== collection) continue;
    if (node.run.input === key || node.run.outputs.some(output => output.key === key)) return true;
  }
  return false;
}

/** Notes the runs of a batch for the next frame of a trace. */
export function collectRuns(one: HostSubscription, batch: Batch): void {
  const {question, news} = one;
  if (question.ask !== 'trace' || news === undefined) return;
  // Whoever looks at a moment would see what came after it.
  if (batch.sequence > (question.until ?? Number.POSITIVE_INFINITY)) return;
  let signal: {of: Signal | undefined} | undefined;
  for (const node of batch.runNodes) {
    if (node === undefined) continue;
    const {run} = node;
    if (question.collection !== undefined && question.collection !== run.collection) continue;
    if (question.outcome !== undefined && question.outcome !== run.outcome) continue;
    if (
      question.key !== undefined &&
      question.key !== run.input &&
      !run.outputs.some(({key}) => key === question.key)
    ) {
      continue;
    }
    if (news.length >= question.limit) {
      one.skipped += 1;
      continue;
    }
    signal ??= {of: batchPriority(new BatchView(batch))};
    news.push({...toWireRun(toRecordedRun(node)), signal: signal.of});
  }
}
