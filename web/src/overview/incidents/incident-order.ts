// A stable order of incidents: shown ones keep their place, new ones come last, ended ones stay and say so. Pure.
import type {Incident} from '@krtscope/shared/incidents.ts';

/** The ids to show: earlier ones keep their places, new open ones follow in the server's order. */
export function stableIncidentOrder(before: readonly string[], incidents: readonly Incident[]): string[] {
  const ids = new Set(incidents.map(one => one.id));
  const previous = before.filter(id => ids.has(id));
  const shown = new Set(previous);
  return [
    ...previous,
    ...incidents.filter(one => one.ended === undefined && !shown.has(one.id)).map(one => one.id),
  ];
}

/** Whether an incident concerns this namespace; one about a whole collection concerns every namespace. */
export function concernsNamespace(incident: Incident, namespace: string | null): boolean {
  if (namespace === null) return true;
  return incident.symptoms.some(
    ({keys}) => keys.length === 0 || keys.some(key => !key.includes('/') || key.startsWith(`${namespace}/`)),
  );
}
