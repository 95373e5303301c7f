// The fields of an impact answer that a reader can edit.
import type {Impact} from '@krtscope/shared/what-if/what-if.ts';

/** Filters ask an object for these methods before they read its fields. No object of Kubernetes has them. */
const PROBED_METHOD = /^get[A-Z]\w*$|(^|\.)then$/;

export function fieldsRead({fields}: Pick<Impact, 'fields'>): Impact['fields'] {
  return fields.filter(({path, readers}) => readers.length > 0 && !PROBED_METHOD.test(path));
}
