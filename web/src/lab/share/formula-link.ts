// A formula as a link: the code travels in the fragment, which no server sees, and is shown before it is run.
import type {FormulaKind} from '@krtscope/shared/formulas.ts';

export interface SharedFormula {
  name: string;
  kind: FormulaKind;
  input?: string;
  code: string;
  shadow?: string;
  /** Where it came from; a link if nothing is said. */
  from?: 'recording';
}

const MAX_LINK_BYTES = 64 * 1024;

export async function encodeFormulaLink(formula: SharedFormula): Promise<string> {
  const bytes = await convertBytes(
    new TextEncoder().encode(JSON.stringify(formula)),
    new CompressionStream('deflate-raw'),
  );
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Undefined for what is no formula: a link may come from anybody. */
export async function decodeFormulaLink(text: string): Promise<SharedFormula | undefined> {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, letter => letter.charCodeAt(0));
    const json = new TextDecoder().decode(await convertBytes(bytes, new DecompressionStream('deflate-raw')));
    const held = JSON.parse(json) as Partial<SharedFormula> | null;
    if (typeof held?.code !== 'string' || typeof held.name !== 'string') return undefined;
    if (!['one', 'many', 'singleton'].includes(String(held.kind))) return undefined;
    return {
      name: held.name.slice(0, 63),
      kind: held.kind!,
      code: held.code.slice(0, MAX_LINK_BYTES),
      ...(typeof held.input === 'string' && {input: held.input}),
      ...(typeof held.shadow === 'string' && {shadow: held.shadow}),
    };
  } catch {
    return undefined;
  }
}

/** Stops at the limit: a few bytes may unpack to gigabytes. */
async function convertBytes(
  bytes: Uint8Array,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(through).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_LINK_BYTES * 2) {
      await reader.cancel();
      throw new Error('too large');
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function formulaLinkIn(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('z');
}
