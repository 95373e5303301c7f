// Who wrote the object behind a changed informer row, by the field managers that the cluster's own session knows.
import type {WireWriter} from '@krtscope/shared/run.ts';
import type {ChangeEventType} from '@krtscope/shared/vocabulary.ts';
import {type ClusterObjects, versionOf} from '../../attach/lag/cluster-objects.ts';
import {kindOfRows} from '../../attach/lag/informer-kind.ts';
import {creatorOf, type Writer, writerOf, writtenPaths} from '../../kube/informer/field-writers.ts';
import type {KubeObject} from '../../kube/object.ts';

export interface InformerRowChange {
  collection: string;
  key: string;
  event: ChangeEventType;
  old: unknown;
  new: unknown;
}

/** Undefined if no manager owns a written path: Kubernetes records none for removed fields and deletions. */
export function writerOfRow(change: InformerRowChange, cluster: ClusterObjects): WireWriter | undefined {
  if (change.event === 'delete') return undefined;
  const rows = new Map([[change.key, change.new]]);
  const kind = kindOfRows(change.collection, rows, cluster);
  const {uid} = versionOf(change.new) ?? {};
  if (kind === undefined || uid === undefined || kind.version(change.key)?.uid !== uid) return undefined;
  const writers = kind.writers(change.key) as readonly Writer[];
  const writer = change.event === 'add' ? creatorOf(writers) : updateWriter(change, writers);
  return writer && {manager: writer.manager, operation: writer.operation, time: writer.time};
}

/** A later write of the status is not the cause, so only owners of what the program saw change count. */
function updateWriter({old, new: now}: InformerRowChange, writers: readonly Writer[]): Writer | undefined {
  const written = writtenPaths(old as KubeObject, now as KubeObject).filter(
    path => !path.startsWith('metadata.managedFields'),
  );
  const spec = written.filter(path => !path.startsWith('status'));
  const paths = spec.length > 0 ? spec : written;
  // With the same entries before and after, the newest owner of a written path wins.
  return writerOf(writers, writers, () => paths);
}
