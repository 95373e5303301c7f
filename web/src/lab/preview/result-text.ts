// A result in one line. Pure.
import {inlineText} from '../../ui/code/yaml-lines.ts';

const identityFields = new Set(['key', 'name', 'namespace', 'labels', 'metadata']);

/** Leaves out keys and names, because the row shows them already. */
export function resultText(items: readonly unknown[], many: boolean): string {
  if (items.length === 0) return many ? 'empty' : 'null';
  if (items.length === 1 && !many) return itemText(items[0]);
  const shown = items.slice(0, 4).map(item => keyText(item) ?? itemText(item));
  return `${items.length} ${items.length === 1 ? 'row' : 'rows'}: ${shown.join(', ')}${items.length > 4 ? ', …' : ''}`;
}

function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return inlineText(item);
  const fields = Object.entries(item);
  const telling = fields.filter(([name]) => !identityFields.has(name));
  const shown = telling.length > 0 ? telling : fields;
  if (shown.length === 1) return inlineText(shown[0]![1]);
  return shown.map(([name, value]) => `${name}: ${inlineText(value)}`).join('  ');
}

export function keyText(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return undefined;
  const {key, metadata} = item as {key?: unknown; metadata?: {name?: string; namespace?: string}};
  if (typeof key === 'string') return key;
  if (metadata?.name === undefined) return undefined;
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}
