// Actions on an incident: ask why, show its rows, copy it.
import type {Incident, Symptom} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {copyText, linkTo, navigate, useApp} from '../../store/app.ts';
import {openOrigin} from '../../store/navigation.ts';
import type {PageRoute} from '../../store/route.ts';
import {apiPath, request} from '../../stream/http.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {incidentMarkdown} from './incident-markdown.ts';

/** The incident's origin, else its first symptom's item. */
export function openIncidentOrigin(incident: Incident): void {
  const {asked: target} = incident.origin;
  if (target) openOrigin(target);
  else if (incident.symptoms[0]) navigate(evidenceRoute(incident.symptoms[0]));
}

export function showInSheet(incident: Incident): void {
  if (isAboutController(incident)) return openIncidentOrigin(incident);
  const [first] = incident.symptoms;
  const {write} = incident.origin;
  if (write) navigate({view: 'sheet', collection: write.collection, key: write.key});
  else if (first) navigate({view: 'sheet', collection: first.collection, key: first.keys[0] ?? null});
}

/** Its symptoms are requests of a controller, which no collection has. */
export function isAboutController({symptoms}: Incident): boolean {
  return symptoms[0]?.reconcile !== undefined;
}

/** Opens the request of a controller, Why not for a pair, Why for an item that ran, else the sheet's rows. */
export function evidenceRoute(
  found: Pick<Symptom, 'collection' | 'keys' | 'evidence' | 'reconcile'>,
): Partial<PageRoute> {
  if (found.reconcile !== undefined) {
    const {controller, request} = found.reconcile;
    return {view: 'controllers', params: {c: controller, ...(request === undefined ? {} : {k: request})}};
  }
  const item = found.evidence?.item;
  const expected = found.evidence?.expected;
  if (item !== undefined && expected !== undefined) {
    return {
      view: 'why-not',
      collection: item.collection,
      key: item.key,
      params: {expected: `${expected.collection}/${expected.key}`},
    };
  }
  if (item !== undefined) return {view: 'why', collection: item.collection, key: item.key};
  return {view: 'sheet', collection: found.collection, key: found.keys[0] ?? null};
}

/** The API path of the origin's steps. */
export function originPath(incident: Incident): string | null {
  const {asked: target} = incident.origin;
  if (!target) return null;
  const query = new URLSearchParams();
  if (target.field !== undefined) query.set('field', target.field);
  if (target.input) query.set('input', '1');
  return `/origin/${encodeURIComponent(target.collection)}/${encodeURIComponent(target.key)}?${query}`;
}

/** The whole incident as text, with its origin's steps at the moment on screen. */
export async function copyIncident(incident: Incident): Promise<void> {
  const {session, moment} = useApp.getState().route;
  const {recording, sequence} = useConnection.getState();
  const path = originPath(incident);
  // Copy without the steps if they fail: an incident that ended long ago may have none left.
  const origin =
    path === null
      ? undefined
      : await request<Origin>(apiPath(path, {session, at: moment})).catch(() => undefined);
  const link = linkTo(recording, {moment: moment ?? sequence, params: {incident: incident.id}});
  await copyText(incidentMarkdown(incident, origin, link), 'Incident copied as Markdown');
}
