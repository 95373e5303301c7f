// Drafts are unsaved formulas. Pure functions over the list of them.

import type {FormulaKind, ParamValues} from '@krtscope/shared/formulas.ts';
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';
import {namespacesSource} from '@krtscope/shared/vocabulary.ts';

/** An expected result of one input. Every change of the formula is compared with it. */
export interface PinnedRow {
  input: string;
  items: unknown[];
}

export interface Draft {
  id: string;
  name: string;
  kind: FormulaKind;
  /** Undefined for a singleton. */
  input?: string;
  code: string;
  /** The saved formula that this draft changes. */
  of?: {
    name: string;
    revision: string;
    code: string;
    kind: FormulaKind;
    input?: string;
    params?: ParamValues;
  };
  /** Parameters whose values differ from the defaults in the code. */
  params?: ParamValues;
  pins: PinnedRow[];
  /** Earlier versions, oldest first. */
  history: {at: number; code: string}[];
  shadow?: string;
}

export interface Drafts {
  drafts: Draft[];
  current: string | null;
}

export const noDrafts: Drafts = {drafts: [], current: null};
const MAX_HISTORY = 40;
/** Edits closer together than this are one version. */
const STEP_MS = 4_000;
const MAX_DRAFTS = 60;

export function readDrafts(text: string | null): Drafts {
  try {
    const stored = JSON.parse(text ?? 'null') as Drafts | null;
    if (!Array.isArray(stored?.drafts)) return noDrafts;
    const drafts = stored.drafts
      .filter(isDraft)
      .map(one => ({...one, pins: one.pins ?? [], history: one.history ?? []}));
    const current = drafts.some(one => one.id === stored.current) ? stored.current : null;
    return {drafts, current};
  } catch {
    return noDrafts;
  }
}

function isDraft(one: unknown): one is Draft {
  const draft = one as Partial<Draft> | null;
  return (
    typeof draft?.id === 'string' &&
    typeof draft.code === 'string' &&
    typeof draft.name === 'string' &&
    ['one', 'many', 'singleton'].includes(String(draft.kind))
  );
}

export function currentDraft({drafts, current}: Drafts): Draft | undefined {
  return drafts.find(one => one.id === current);
}

export function addDraft(list: Drafts, draft: Draft): Drafts {
  return {
    drafts: [draft, ...list.drafts.filter(one => one.id !== draft.id)].slice(0, MAX_DRAFTS),
    current: draft.id,
  };
}

export function changeDraft(list: Drafts, id: string, change: Partial<Draft>, now: number): Drafts {
  return {
    ...list,
    drafts: list.drafts.map(one => {
      if (one.id !== id) return one;
      const next = {...one, ...change};
      if (change.code === undefined || change.code === one.code) return next;
      return {...next, history: addToHistory(one, now)};
    }),
  };
}

/** Adds the previous text, unless the reader is still typing. */
function addToHistory(draft: Draft, now: number): Draft['history'] {
  const last = draft.history.at(-1);
  if (last !== undefined && (now - last.at < STEP_MS || last.code === draft.code)) return draft.history;
  return [...draft.history, {at: now, code: draft.code}].slice(-MAX_HISTORY);
}

export function removeDraft(list: Drafts, id: string): Drafts {
  const drafts = list.drafts.filter(one => one.id !== id);
  return {drafts, current: list.current === id ? (drafts[0]?.id ?? null) : list.current};
}

export function hasUnsavedChanges(draft: Draft): boolean {
  const {of} = draft;
  return (
    of === undefined ||
    of.code !== draft.code ||
    of.name !== draft.name ||
    of.kind !== draft.kind ||
    of.input !== draft.input ||
    !sameParams(of.params, draft.params)
  );
}

function sameParams(a: ParamValues = {}, b: ParamValues = {}): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every(name => a[name] === b[name]);
}

/** What the tag beside a draft's name says. */
export function draftState(draft: Draft): 'draft' | 'changed' | 'saved' {
  if (draft.of === undefined) return 'draft';
  return hasUnsavedChanges(draft) ? 'changed' : 'saved';
}

/** The first free name of `Draft`, `Draft2`… Case is ignored, as on the server. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map(name => name.toLowerCase()));
  if (!used.has(wanted.toLowerCase())) return wanted;
  for (let n = 2; ; n++) if (!used.has(`${wanted}${n}`.toLowerCase())) return `${wanted}${n}`;
}

const singularName = (collection: string) =>
  collection
    .replace(/[^A-Za-z0-9]+(\w)?/g, (_all, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/ies$/, 'y')
    .replace(/(ss|x|sh|ch)es$/, '$1')
    .replace(/([^s])s$/, '$1');

/** The parameter name of an item: `pod` for Pods, `endpointSlice` for EndpointSlices. */
export function itemParameterName(collection: string): string {
  if (parseGroupName(collection) !== undefined) return 'group';
  const word = singularName(collection) || 'item';
  const name = word[0]!.toLowerCase() + word.slice(1);
  return /^[a-z_$][\w$]*$/i.test(name) && !reservedWords.has(name) ? name : 'item';
}

const reservedWords = new Set(
  'break case catch class const continue default delete do else enum export extends false finally for function if import in key keys label name namespace new null return super switch this throw true try typeof var void while with yield index selects generic collection time sum unique'.split(
    ' ',
  ),
);

/** The first text of a draft. It runs without changes. */
export function formulaSkeleton(kind: FormulaKind, input: string | undefined, isObject: boolean): string {
  if (kind === 'singleton' || input === undefined) {
    const from = input ?? namespacesSource;
    return `(ctx) => ({\n  ${from[0]!.toLowerCase()}${from.slice(1)}: ctx.fetch(${from}).length,\n})`;
  }
  const item = itemParameterName(input);
  const isGroup = parseGroupName(input) !== undefined;
  const row = isGroup
    ? `count: ${item}.objects.length`
    : isObject
      ? `name: ${item}.metadata.name`
      : `key: keyOf(${item})`;
  if (kind === 'many')
    return `(ctx, ${item}) => [\n  {${isObject || isGroup ? `key: keyOf(${item}), ${row}` : row}},\n]`;
  return `(ctx, ${item}) => ({\n  ${row},\n})`;
}
