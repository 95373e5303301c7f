// Infers the type of a derived collection's items from its present items.

interface ObservedType {
  plain: Set<string>;
  list: ObservedType | undefined;
  fields: Map<string, {seen: ObservedType; count: number}> | undefined;
  objects: number;
}

const MOST_FIELDS = 40;
const DEEPEST = 8;
const mapFields = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector']);

/** Returns `any` without values: no type is better than a wrong one. */
export function inferType(values: readonly unknown[]): string {
  if (values.length === 0) return 'any';
  const seen = emptyType();
  for (const value of values) observeValue(seen, value, 0);
  return writeType(seen, '');
}

function emptyType(): ObservedType {
  return {plain: new Set(), list: undefined, fields: undefined, objects: 0};
}

function observeValue(seen: ObservedType, value: unknown, depth: number): void {
  if (value === null) seen.plain.add('null');
  else if (Array.isArray(value)) {
    seen.list ??= emptyType();
    for (const one of value.slice(0, 50)) observeValue(seen.list, one, depth + 1);
  } else if (typeof value === 'object') {
    seen.fields ??= new Map();
    seen.objects++;
    if (depth > DEEPEST) return;
    for (const [name, inner] of Object.entries(value)) {
      let field = seen.fields.get(name);
      if (field === undefined) {
        field = {seen: emptyType(), count: 0};
        seen.fields.set(name, field);
      }
      field.count++;
      observeValue(field.seen, inner, depth + 1);
    }
  } else seen.plain.add(typeof value);
}

function writeType(seen: ObservedType, name: string): string {
  const parts = [...seen.plain].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
  if (seen.list) {
    const inner = writeType(seen.list, '');
    parts.unshift(/^[\w.]+$/.test(inner) ? `readonly ${inner}[]` : `readonly (${inner})[]`);
  }
  if (seen.fields) parts.unshift(writeFields(seen, name));
  return parts.length === 0 ? 'any' : parts.join(' | ');
}

function writeFields(seen: ObservedType, name: string): string {
  const fields = [...(seen.fields ?? [])];
  if (fields.length === 0) return '{readonly [name: string]: any}';
  // Field names that are data: write a map instead of an object type.
  if (
    mapFields.has(name) ||
    fields.length > MOST_FIELDS ||
    fields.some(([field]) => /[/. ]/.test(field) || field === '')
  ) {
    const all = emptyType();
    for (const [, field] of fields) mergeTypes(all, field.seen);
    return `{readonly [name: string]: ${writeType(all, '')}}`;
  }
  const lines = fields.map(([field, {seen: inner, count}]) => {
    const word = /^[A-Za-z_$][\w$]*$/.test(field) ? field : JSON.stringify(field);
    return `readonly ${word}${count < seen.objects ? '?' : ''}: ${writeType(inner, field)}`;
  });
  return `{${lines.join('; ')}}`;
}

function mergeTypes(into: ObservedType, from: ObservedType): void {
  for (const plain of from.plain) into.plain.add(plain);
  if (from.list) {
    into.list ??= emptyType();
    mergeTypes(into.list, from.list);
  }
  if (!from.fields) return;
  into.fields ??= new Map();
  into.objects += from.objects;
  for (const [name, field] of from.fields) {
    const own = into.fields.get(name);
    if (own === undefined) into.fields.set(name, {seen: field.seen, count: field.count});
    else {
      own.count += field.count;
      mergeTypes(own.seen, field.seen);
    }
  }
}
