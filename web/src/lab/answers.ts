// What the server says about formulas: contract.md 12 as types.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {useApp} from '../store/app.ts';
import {apiPath, Refused, request} from '../stream/http.ts';
import type {FormulaKind} from './drafts.ts';

export interface RowError {
  message: string;
  line?: number | undefined;
  column?: number | undefined;
  input?: string | undefined;
}

export interface PreviewFetch {
  collection: string;
  filter: string;
  matched: number;
  scanned: number;
  via: {kind: 'index' | 'scan'; name?: string | undefined};
  keys: string[];
  line?: number | undefined;
}

export interface PreviewRow {
  input: string;
  items: unknown[];
  error?: RowError | undefined;
  waitingFor?: string | undefined;
  discarded?: boolean | undefined;
  fetches: PreviewFetch[];
  reads?: string[] | undefined;
  ms: number;
}

export interface Check {
  code: string;
  holds: boolean;
  message: string;
}

export interface ShadowRow {
  key: string;
  state: 'same' | 'different' | 'onlyDraft' | 'onlyOther';
  input?: string | undefined;
  draft?: unknown;
  other?: unknown;
}

export interface Shadow {
  same: number;
  different: number;
  onlyDraft: number;
  onlyOther: number;
  rows: ShadowRow[];
}

export interface Preview {
  rows: PreviewRow[];
  total: number;
  tried: number;
  failed: number;
  checks: Check[];
  shadow?: Shadow | undefined;
}

export interface PreviewAsk {
  code: string;
  kind: FormulaKind;
  input?: string;
  keys?: string[];
  shadow?: string;
  name?: string;
}

export interface Formula {
  name: string;
  kind: FormulaKind;
  input?: string | undefined;
  code: string;
  revision: string;
  state: 'live' | 'failing' | 'quarantined';
  items: number;
  failed: number;
  error?: RowError | undefined;
  checks: Check[];
}

/** A failure of the API with the places in the code that it names, and the readers that stand in the way. */
export interface FormulaFailure extends ApiFailure {
  errors?: {line: number; column: number; message: string}[];
  readers?: string[];
}

function session(): string | null {
  return useApp.getState().place.session;
}

const json = (method: string, body?: unknown, signal?: AbortSignal): RequestInit => ({
  method,
  ...(signal && {signal}),
  ...(body !== undefined && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
});

export function askPreview(ask: PreviewAsk, signal: AbortSignal): Promise<Preview> {
  return request(apiPath('/formulas/preview', {session: session()}), json('POST', ask, signal));
}

export function listFormulas(signal?: AbortSignal): Promise<{formulas: Formula[]}> {
  return request(apiPath('/formulas', {session: session()}), signal ? {signal} : {});
}

export function createFormula(body: {
  name: string;
  code: string;
  kind: FormulaKind;
  input?: string;
}): Promise<Formula> {
  return request(apiPath('/formulas', {session: session()}), json('POST', body));
}

export function changeFormula(name: string, body: object): Promise<Formula> {
  return request(apiPath(`/formulas/${encodeURIComponent(name)}`, {session: session()}), json('PUT', body));
}

export function deleteFormula(name: string): Promise<void> {
  return request(apiPath(`/formulas/${encodeURIComponent(name)}`, {session: session()}), json('DELETE'));
}

export function typesOf(collections: readonly string[], signal: AbortSignal): Promise<{text: string}> {
  return request(apiPath('/types', {session: session(), collections: collections.join(',')}), {signal});
}

export function failureOf(error: unknown): FormulaFailure {
  if (error instanceof Refused) return error.failure as FormulaFailure;
  return {code: 'internal', message: String(error), hint: 'Reload the page.'};
}

/** `(line 9)` at the end of a message is said once, as a place to go to. */
export function errorText({message}: RowError): string {
  return message.replace(/ \(line \d+\)$/, '');
}

export function errorLine(error: RowError | undefined): number | undefined {
  if (error === undefined) return undefined;
  const found = /\(line (\d+)\)$/.exec(error.message);
  return error.line ?? (found ? Number(found[1]) : undefined);
}

export function viaText({kind, name}: PreviewFetch['via']): {indexed: boolean; words: string} {
  return kind === 'index'
    ? {indexed: true, words: `index${name ? ` ${name}` : ''}`}
    : {indexed: false, words: 'no index'};
}
