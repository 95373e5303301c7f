// An incident's state in words: open, recovered but still watched, ended. Pure.
import type {Incident} from '@krtscope/shared/incidents.ts';
import type {Tone} from '../../ui/indicators/outcome-state.tsx';

/** No symptom holds any more, but the server still waits whether one returns. */
export function isRecovered({ended, symptoms}: Pick<Incident, 'ended' | 'symptoms'>): boolean {
  return ended === undefined && symptoms.length > 0 && symptoms.every(one => one.ended !== undefined);
}

/** Open and not recovered: the number on the rail. */
export function countOpen(incidents: readonly Incident[]): number {
  return incidents.filter(one => one.ended === undefined && !isRecovered(one)).length;
}

export function stateTone(incident: Incident): Tone {
  if (incident.ended !== undefined || isRecovered(incident)) return 'plain';
  return severityTone(incident);
}

export function severityTone(incident: Incident): Tone {
  return incident.severity === 'error' ? 'error' : incident.severity === 'warning' ? 'changed' : 'noop';
}

/** Broken: something does not work. Degraded: less of it works than should. */
export function stateWord(incident: Incident): string {
  if (incident.ended !== undefined) return 'ended';
  if (isRecovered(incident)) return 'recovered, watching for 60 s';
  return incident.severity === 'error' ? 'broken' : incident.severity === 'warning' ? 'degraded' : 'noted';
}

/** The state of a symptom that is not seen now. Until the incident ends it may return, as in a crash loop. */
export function endedWord({ended}: Pick<Incident, 'ended'>): string {
  return ended === undefined ? 'recovered' : 'ended';
}

/** The incident to show first: one that is still open. */
export function firstToShow(shown: readonly Incident[]): Incident | undefined {
  return shown.find(one => one.ended === undefined && !isRecovered(one)) ?? shown[0];
}

/** What stands before its duration. A recovered incident is neither open nor over. */
export function durationWord(incident: Incident): string {
  if (incident.ended !== undefined) return 'lasted ';
  return isRecovered(incident) ? 'began ' : 'open ';
}
