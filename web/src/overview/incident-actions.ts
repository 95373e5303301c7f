// What can be done with an incident: ask why, see its rows, take it away. And in which words its severity is told.
import type {Incident, Symptom} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {copyText, linkTo, navigate, useApp} from '../store/app.ts';
import {openOrigin} from '../store/navigation.ts';
import type {PageRoute} from '../store/route.ts';
import {apiPath, request} from '../stream/http.ts';
import {useConnection} from '../stream/server-connection.ts';
import type {Tone} from '../ui/indicators/outcome-state.tsx';
import {incidentMarkdown} from './incident-markdown.ts';

export function severityTone(incident: Incident): Tone {
  return incident.severity === 'error' ? 'error' : incident.severity === 'warning' ? 'changed' : 'noop';
}

/** Broken: something does not work. Degraded: less of it works than should. */
export function severityWord(incident: Incident): string {
  return incident.severity === 'error' ? 'broken' : incident.severity === 'warning' ? 'degraded' : 'noted';
}

/** Of a symptom that is not seen: until the incident has ended it may come back, as those of a crash loop do. */
export function endedWord({ended}: Pick<Incident, 'ended'>): string {
  return ended === undefined ? 'not now' : 'over';
}

/** Its origin where it has one; else what its first symptom points at. */
export function openIncidentOrigin(incident: Incident): void {
  const {asked} = incident.origin;
  if (asked) openOrigin(asked);
  else if (incident.symptoms[0]) navigate(evidenceRoute(incident.symptoms[0]));
}

export function showInSheet(incident: Incident): void {
  const [first] = incident.symptoms;
  const {write} = incident.origin;
  if (write) navigate({view: 'sheet', collection: write.collection, key: write.key});
  else if (first) navigate({view: 'sheet', collection: first.collection, key: first.keys[0] ?? null});
}

/** Why not for a pair, Why for an item that ran, the sheet's rows otherwise. */
export function evidenceRoute(found: Pick<Symptom, 'collection' | 'keys' | 'evidence'>): Partial<PageRoute> {
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

/** The path of its origin, for its steps. */
export function originPath(incident: Incident): string | null {
  const {asked} = incident.origin;
  if (!asked) return null;
  const query = new URLSearchParams();
  if (asked.field !== undefined) query.set('field', asked.field);
  if (asked.input) query.set('input', '1');
  return `/origin/${encodeURIComponent(asked.collection)}/${encodeURIComponent(asked.key)}?${query}`;
}

/** The whole story, with the steps of its origin asked for at the moment that is looked at. */
export async function copyIncident(incident: Incident): Promise<void> {
  const {session, moment} = useApp.getState().route;
  const {recording, sequence} = useConnection.getState();
  const path = originPath(incident);
  // Without the steps the story is still worth taking away: what ended long ago may have none left.
  const origin =
    path === null
      ? undefined
      : await request<Origin>(apiPath(path, {session, at: moment})).catch(() => undefined);
  const link = linkTo(recording, {moment: moment ?? sequence, params: {incident: incident.id}});
  await copyText(incidentMarkdown(incident, origin, link), 'Copied as an issue');
}
