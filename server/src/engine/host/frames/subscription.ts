// One subscription: its question, the changes that affect its answer, and what it was last sent.
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

/** The interval for answers that read the whole recording, that change slowly, or that only other rows affect. */
export const SLOW_INTERVAL_MS = 250;

export interface HostSubscription {
  readonly id: number;
  readonly question: Question;
  readonly differ: Differ<unknown>;
  readonly interval: number;
  /** For a trace that can be sent as a delta: the runs since the last frame. */
  news: RunRecord[] | undefined;
  skipped: number;
  /** The collections whose changes affect the answer; undefined means all. */
  concerns: ReadonlySet<string> | undefined;
  dirty: boolean;
  /** Only other rows changed; the row itself did not. */
  beside: boolean;
  /** A slow answer is under way. The next one starts after it. */
  pending: boolean;
  sent: number;
  /** Milliseconds of the last answer, and the smaller of the last two: a single slow one may have other reasons. */
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

/** The collections that describe programs' controllers. */
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

/** A question about a past moment has a constant answer. */
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
 * Whether a batch changed or ran the item in question. An item's answer includes its neighbours, so any batch may
 * change it. In a busy cluster, answers for the neighbours' changes would delay the answer for the item's own change.
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

/** Adds the runs of a batch to the next frame of a trace. */
export function collectRuns(one: HostSubscription, batch: Batch): void {
  const {question, news} = one;
  if (question.ask !== 'trace' || news === undefined) return;
  // A trace up to a moment must not show later runs.
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
