// Encodes a formula in a link. The code is in the fragment, which browsers do not send to servers.
import type {FormulaKind, ModuleState, ParamValues} from '@krtscope/shared/formulas.ts';
import {itemParameterName} from '../draft/drafts.ts';
import {usedHelpers} from '../export/typescript-module.ts';

export interface SharedFormula {
  name: string;
  kind: FormulaKind;
  input?: string;
  code: string;
  shadow?: string;
  params?: ParamValues;
  /** The sender's helpers that the code uses. */
  helpers?: string;
  /** Undefined for a formula from a link. */
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

/** Undefined if the text is not a formula. Anyone can make a link, so check every field. */
export async function decodeFormulaLink(text: string): Promise<SharedFormula | undefined> {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, letter => letter.charCodeAt(0));
    const json = new TextDecoder().decode(await convertBytes(bytes, new DecompressionStream('deflate-raw')));
    const parsed = JSON.parse(json) as Partial<SharedFormula> | null;
    if (typeof parsed?.code !== 'string' || typeof parsed.name !== 'string') return undefined;
    if (!['one', 'many', 'singleton'].includes(String(parsed.kind))) return undefined;
    return {
      name: parsed.name.slice(0, 63),
      kind: parsed.kind!,
      code: parsed.code.slice(0, MAX_LINK_BYTES),
      input: typeof parsed.input === 'string' ? parsed.input : undefined,
      shadow: typeof parsed.shadow === 'string' ? parsed.shadow : undefined,
      params: readParams(parsed.params),
      helpers: typeof parsed.helpers === 'string' ? parsed.helpers.slice(0, MAX_LINK_BYTES) : undefined,
    };
  } catch {
    return undefined;
  }
}

function readParams(params: unknown): ParamValues | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const values = Object.entries(params).filter(([, one]) =>
    ['string', 'number', 'boolean'].includes(typeof one),
  );
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** The text of helpers.ts, as the list of formulas has it. */
export function helperFileIn(modules: readonly ModuleState[]): string {
  return modules.find(({name}) => name === 'helpers.ts')?.files?.[0]?.code ?? '';
}

/** A formula without helpers besides those of the reader's folder: others are declared inside it. */
export function withOwnHelpers(formula: SharedFormula, helperFile: string): SharedFormula {
  const {helpers, code, kind, input, ...rest} = formula;
  if (helpers === undefined || helpers === usedHelpers(code, helperFile)) return {...rest, code, kind, input};
  const parameters = kind === 'singleton' || input === undefined ? 'ctx' : `ctx, ${itemParameterName(input)}`;
  // The end of an expression is no end of a statement. What follows it is a comment.
  const expression = code
    .trim()
    .replace(/;(?=(?:\s|;|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$)/g, '');
  const own = `(${parameters}) => {
  // Helpers that came with the link. In helpers.ts, in the folder of the formulas, all formulas can use them.
${indent(helpers, 2)}

  return (
${indent(expression, 4)}
  )(${parameters});
}`;
  return {...rest, code: own, kind, input};
}

/** Lines inside a template text must stay as they are. */
function indent(text: string, by: number): string {
  if (text.includes('`')) return text;
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}

/** Stops at the limit, because a few bytes can unpack to gigabytes. */
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
