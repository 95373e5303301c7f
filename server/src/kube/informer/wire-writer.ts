// The writer of a change as it is reported: a few paths, without kubectl's own copy of the object.

import type {WireWriter} from '@krtscope/shared/run.ts';
import type {Writer} from './field-writers.ts';

/** kubectl's own copy of an object. It is never attributed to a writer. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Most reported paths of a writer. */
const MAX_PATHS = 20;

export function toWireWriter({manager, operation, time, paths}: Writer): WireWriter {
  return {
    manager,
    operation,
    time,
    paths: paths
      .slice(0, MAX_PATHS + 1)
      .filter(path => !path.includes(LAST_APPLIED))
      .slice(0, MAX_PATHS),
  };
}
