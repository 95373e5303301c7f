// Field ownership: who wrote which field, kept in metadata.managedFields.
import type {KubeObject} from '../object/types.ts';
import type {Write} from '../verbs/write.ts';

export function recordUpdate(_write: Write, _old: KubeObject | undefined, _object: KubeObject): void {}
