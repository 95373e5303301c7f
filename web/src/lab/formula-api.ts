// HTTP requests of the Lab. shared/src/formulas.ts defines their types.
import type {
  FormulaChange,
  FormulaRequest,
  ModuleState,
  Preview,
  PreviewRequest,
  PreviewRow,
  RowError,
  SavedFormula,
  Shadow,
} from '@krtscope/shared/formulas.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {useApp} from '../store/app.ts';
import {apiPath, jsonRequest, RequestError, request} from '../stream/http.ts';

export type PreviewFetch = PreviewRow['fetches'][number];
export type ShadowRow = Shadow['rows'][number];

function currentSession(): string | null {
  return useApp.getState().route.session;
}

/** The same for all drafts of this browser tab: the server drops an older draft that still waits. */
const tab = crypto.getRandomValues(new Uint32Array(2)).join('-');

export function requestPreview(ask: PreviewRequest, signal: AbortSignal): Promise<Preview> {
  const path = apiPath('/formulas/preview', {session: currentSession()});
  return request(path, jsonRequest('POST', {...ask, tab}, signal));
}

/** `at` asks for the files of the modules at that moment. */
export function listFormulas(
  signal: AbortSignal,
  at?: number,
): Promise<{formulas: SavedFormula[]; modules: ModuleState[]}> {
  return request(apiPath('/formulas', {session: currentSession(), at}), {signal});
}

export function createFormula(body: FormulaRequest): Promise<SavedFormula> {
  return request(apiPath('/formulas', {session: currentSession()}), jsonRequest('POST', body));
}

export function changeFormula(name: string, body: FormulaChange): Promise<SavedFormula> {
  return request(
    apiPath(`/formulas/${encodeURIComponent(name)}`, {session: currentSession()}),
    jsonRequest('PUT', body),
  );
}

export function deleteFormula(name: string): Promise<void> {
  return request(
    apiPath(`/formulas/${encodeURIComponent(name)}`, {session: currentSession()}),
    jsonRequest('DELETE'),
  );
}

export function requestTypes(collections: readonly string[], signal: AbortSignal): Promise<{text: string}> {
  return request(apiPath('/types', {session: currentSession(), collections: collections.join(',')}), {
    signal,
  });
}

export function failureOf(error: unknown): ApiFailure {
  if (error instanceof RequestError) return error.failure;
  return {code: 'internal', message: String(error), hint: 'Reload the page.'};
}

/** Drops `(line 9)` at the end: the page shows the line as a link. */
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
