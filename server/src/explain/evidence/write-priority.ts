// Ranks a write from outside for a reader: by a person, by a controller, or background changes.
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
    // A relist changes nothing that a reader cares about.
    const paths = changedPaths(change.old, change.new);
    if (paths.every(({path}) => isChurnPath(path))) return 'churn';
  }
  return manager === undefined ? priorityWithoutManager(change) : 'controller';
}

/**
 * A write without a manager, such as a deletion. A controller deletes the objects that it owns, and removes finalizers.
 * Other writes may come from a person: a Service that was deleted by hand must stay visible.
 */
function priorityWithoutManager({old, new: now}: RecordedChange): Signal {
  // Compare the old version as well: a controller releases a Pod whose labels no longer match, without a manager.
  if ([old, now].some(isControlled)) return 'controller';
  const going = (old as OwnedMetadata | undefined)?.metadata?.deletionTimestamp !== undefined;
  return going ? 'controller' : 'person';
}

function isControlled(object: unknown): boolean {
  const owners = (object as OwnedMetadata | undefined)?.metadata?.ownerReferences ?? [];
  return owners.some(({controller}) => controller === true);
}

const priorityOrder: Record<Signal, number> = {person: 0, controller: 1, churn: 2};

/** Writes of one batch that are ranked; a first list has thousands. */
const MAX_WRITES = 64;

/** The highest priority among the writes of a batch; undefined without writes. */
export function batchPriority(batch: RecordedBatch): Signal | undefined {
  let best: Signal | undefined;
  for (const place of batch.rootPlaces.slice(0, MAX_WRITES)) {
    const signal = writePriorityOf(batch.change(place));
    if (best === undefined || priorityOrder[signal] < priorityOrder[best]) best = signal;
    if (best === 'person') break;
  }
  return best;
}
