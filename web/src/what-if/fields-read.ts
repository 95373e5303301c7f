// The fields of an impact answer that have readers.
import type {Impact} from '@krtscope/shared/what-if/what-if.ts';

export function fieldsRead({fields}: Pick<Impact, 'fields'>): Impact['fields'] {
  return fields.filter(({readers}) => readers.length > 0);
}
