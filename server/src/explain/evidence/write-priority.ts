// What a write from outside is worth to a reader: a person's intent, a controller at work, or the cluster's pulse.
import {isChurnPath, isHeartbeatKind, isPersonManager, type Signal} from '@krtscope/shared/field-managers.ts';
import type {RecordedBatch, RecordedChange} from '../records.ts';
import {changedPaths} from './diff.ts';
import {isDeleting, isReplaced} from './object-lifetime.ts';
import {writerOf} from './writer.ts';

interface OwnedMetadata {
  readonly metadata?: {
    readonly ownerReferences?: readonly {readonly controller?: boolean}[];
    readonly deletionTimestamp?: string;
  };
}

export function writePriorityOf(change: RecordedChange): Signal {
  if (isHeartbeatKind(change.collection)) return 'churn';
  const manager = writerOf(change)?.manager;
  if (manager !== undefined && isPersonManager(manager)) return 'person';
  if (change.event === 'update') {
    const versions = {before: change.old, after: change.new};
    if (isReplaced(versions) || isDeleting(versions))
      return manager === undefined ? priorityWithoutManager(change) : 'controller';
    // Nothing that anybody reads: a list that came again.
    const paths = changedPaths(change.old, change.new);
    if (paths.every(({path}) => isChurnPath(path))) return 'churn';
  }
  return manager === undefined ? priorityWithoutManager(change) : 'controller';
}

/**
 * Nobody signed it, as nobody signs deletions. What a controller keeps, a controller takes away, and what was asked to go is
 * ended by whoever holds its finalizers. The rest may be somebody's intent: folded away, a Service that was deleted by hand
 * would be missed where its incident begins.
 */
function priorityWithoutManager({old, new: now}: RecordedChange): Signal {
  // Before, too: a controller lets go of a Pod whose labels no longer fit, and nobody signs that either.
  if ([old, now].some(isControlled)) return 'controller';
  const going = (old as OwnedMetadata | undefined)?.metadata?.deletionTimestamp !== undefined;
  return going ? 'controller' : 'person';
}

function isControlled(object: unknown): boolean {
  const owners = (object as OwnedMetadata | undefined)?.metadata?.ownerReferences ?? [];
  return owners.some(({controller}) => controller === true);
}

const priorityOrder: Record<Signal, number> = {person: 0, controller: 1, churn: 2};

/** Writes of one batch that are looked at; a first list has thousands. */
const MAX_WRITES = 64;

/** The strongest of a batch's writes; undefined for one without. */
export function batchPriority(batch: RecordedBatch): Signal | undefined {
  let best: Signal | undefined;
  for (const place of batch.rootPlaces.slice(0, MAX_WRITES)) {
    const signal = writePriorityOf(batch.change(place));
    if (best === undefined || priorityOrder[signal] < priorityOrder[best]) best = signal;
    if (best === 'person') break;
  }
  return best;
}
