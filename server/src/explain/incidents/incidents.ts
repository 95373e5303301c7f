// Lists the recorded incidents at a moment, in an order that stays the same while they change.
import type {Incident, IncidentState, Incidents} from '@krtscope/shared/incidents.ts';
import type {Severity} from '@krtscope/shared/vocabulary.ts';
import type {Records} from '../records.ts';

const severities: Record<Severity, number> = {error: 0, warning: 1, info: 2};

export function incidentsAnswer(
  records: Records,
  {state, at}: {readonly state: IncidentState; readonly at?: number | undefined},
): Incidents {
  const all = records
    .incidents(at)
    .map(({quietSince: _, ...incident}): Incident => incident)
    .sort(compareIncidents);
  const open = all.filter(({ended}) => ended === undefined);
  const ended = all.filter(incident => incident.ended !== undefined);
  return {
    sequence: at ?? records.newest(),
    incidents: state === 'all' ? all : state === 'open' ? open : ended,
    open: open.length,
    ended: ended.length,
  };
}

function compareIncidents(a: Incident, b: Incident): number {
  return severities[a.severity] - severities[b.severity] || a.began - b.began || (a.id < b.id ? -1 : 1);
}
