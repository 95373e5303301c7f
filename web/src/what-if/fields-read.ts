// The fields of an impact answer that have readers.
import type {Impact} from '@krtscope/shared/what-if/what-if.ts';

export function fieldsRead({fields}: Pick<Impact, 'fields'>): Impact['fields'] {
  return fields.filter(({readers}) => readers.length > 0);
}

/** Whether an edit changes this field, something in it, or what it is in. Positions in lists do not count. */
export function isTouched(path: string, edited: readonly string[]): boolean {
  const own = withoutPositions(path);
  return edited.map(withoutPositions).some(one => isWithin(own, one) || isWithin(one, own));
}

export function editedFirst(fields: Impact['fields'], edited: readonly string[]): Impact['fields'] {
  const touched = fields.filter(({path}) => isTouched(path, edited));
  return [...touched, ...fields.filter(field => !touched.includes(field))];
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

function withoutPositions(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '');
}
