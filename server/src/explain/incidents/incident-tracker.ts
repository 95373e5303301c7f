// Compares what the checks find with the recorded incidents. A finding joins the open incident that has it, else the one
// with the same origin, else it opens one. An incident ends after a minute without symptoms. Returns what to record.
import type {Check} from '@krtscope/shared/checks.ts';
import type {Symptom} from '@krtscope/shared/incidents.ts';
import type {OriginWrite} from '@krtscope/shared/origin.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {RecordedIncident} from '../records.ts';
import {groupTitle} from '../wording/cluster-check-sentence.ts';
import {unreadableSourcesSentence, unreadableSourcesTitle} from '../wording/incident-sentence.ts';
import {say} from '../wording/say.ts';
import {isSourceFailure, originOfFinding} from './incident-origin.ts';

/** An incident without symptoms for this long, in batch time, has ended. */
const QUIET_MILLISECONDS = 60_000;
/** Origins that one round finds; the next round finds the others. */
const MAX_ORIGINS = 48;
/** Ended incidents that the recording keeps. */
const MAX_ENDED = 200;

export interface CheckedMoment {
  /** The batch whose state was checked, and the sequence and clock of the batch to write. */
  readonly seen: number;
  readonly writes: number;
  readonly at: number;
  /** The last batch that was checked before this one. */
  readonly before: number;
}

type IncidentDraft = {-readonly [K in keyof RecordedIncident]: RecordedIncident[K]};

interface CurrentSymptom {
  readonly check: Check;
  readonly keys: string[];
}

interface FindingKey {
  readonly check: Check;
  readonly key: string;
}

/** By id; undefined removes the incident. */
export type IncidentUpdates = Map<string, RecordedIncident | undefined>;

export function updateIncidents(
  reader: RerunReader,
  written: readonly RecordedIncident[],
  checks: readonly Check[],
  moment: CheckedMoment,
): IncidentUpdates {
  return new IncidentTracker(reader, written, moment).applyChecks(checks);
}

class IncidentTracker {
  readonly #reader: RerunReader;
  readonly #moment: CheckedMoment;
  readonly #open: IncidentDraft[];
  readonly #ended: RecordedIncident[];
  readonly #updates: IncidentUpdates = new Map();
  /** The symptoms found at this moment, by incident. */
  readonly #current = new Map<IncidentDraft, Map<string, CurrentSymptom>>();
  #roots = MAX_ORIGINS;

  constructor(reader: RerunReader, written: readonly RecordedIncident[], moment: CheckedMoment) {
    this.#reader = reader;
    this.#moment = moment;
    this.#open = written
      .filter(({ended}) => ended === undefined)
      .map(incident => ({...incident}))
      .sort((a, b) => a.began - b.began);
    this.#ended = written.filter(({ended}) => ended !== undefined);
  }

  applyChecks(checks: readonly Check[]): IncidentUpdates {
    for (const check of checks) {
      if (check.severity === 'info') continue;
      for (const key of check.keys.length > 0 ? check.keys : ['']) this.#addFinding({check, key});
    }
    for (const incident of this.#open) this.#update(incident);
    this.#forget();
    return this.#updates;
  }

  #addFinding(finding: FindingKey): void {
    const {check} = finding;
    const incident =
      this.#incidentWith(finding) ?? (check.unknown ? undefined : this.#incidentToJoin(finding));
    if (incident === undefined) return;
    let current = this.#current.get(incident);
    if (current === undefined) {
      current = new Map();
      this.#current.set(incident, current);
    }
    const id = idOf(check);
    const symptom = current.get(id);
    if (symptom === undefined) current.set(id, {check, keys: [finding.key]});
    else symptom.keys.push(finding.key);
  }

  /** The open incident that has this code, collection and key. */
  #incidentWith({check: {code, collection}, key}: FindingKey): IncidentDraft | undefined {
    return this.#open.find(({symptoms}) =>
      symptoms.some(
        one =>
          one.code === code &&
          one.collection === collection &&
          (one.keys.includes(key) || (key === '' && one.keys.length === 0)),
      ),
    );
  }

  #incidentToJoin(finding: FindingKey): IncidentDraft | undefined {
    const {check, key} = finding;
    if (isSourceFailure(check))
      return this.#open.find(open => this.#isOfSources(open)) ?? this.#createIncident(finding);
    if (this.#roots === 0) return undefined;
    this.#roots -= 1;
    const root = originOfFinding(this.#reader, check, key, this.#moment.seen);
    const {write} = root.origin;
    return (
      this.#open.find(open =>
        write === null ? this.#isOfFormula(open, check) : isSameWrite(open.origin.write, write, check),
      ) ?? this.#createIncident(finding, root)
    );
  }

  /** Without a write the formula of the collection is the cause: one incident, however many rows show it. */
  #isOfFormula(incident: IncidentDraft, check: Check): boolean {
    const id = idOf(check);
    return (
      incident.origin.write === null &&
      (this.#current.get(incident)?.has(id) === true || incident.symptoms.some(one => idOf(one) === id))
    );
  }

  #isOfSources(incident: IncidentDraft): boolean {
    const found = [...(this.#current.get(incident)?.values() ?? [])].map(({check}) => check);
    return [...incident.symptoms, ...found].some(isSourceFailure);
  }

  #createIncident(
    {check, key}: FindingKey,
    root = originOfFinding(this.#reader, check, key, this.#moment.seen),
  ): IncidentDraft {
    const {writes, at} = this.#moment;
    const incident: IncidentDraft = {
      id: `${writes} ${check.code} ${check.collection} ${key}`.trimEnd(),
      severity: check.severity,
      title: check.title,
      sentence: root.sentence,
      parts: [...root.parts],
      began: writes,
      beganAt: Math.round(at),
      origin: root.origin,
      symptoms: [],
    };
    this.#open.push(incident);
    return incident;
  }

  /** Current symptoms come first, then those that have ended. */
  #update(incident: IncidentDraft): void {
    const current = this.#current.get(incident) ?? new Map<string, CurrentSymptom>();
    const symptoms = [...current.values()].map(one => this.#symptomOf(incident, one));
    for (const one of incident.symptoms) {
      const still = current.get(idOf(one))?.keys ?? [];
      const keys = one.keys.filter(key => !still.includes(key));
      if (keys.length === 0 && (one.keys.length > 0 || current.has(idOf(one)))) continue;
      const gone = one.ended === undefined ? {...one, keys, ended: this.#lastSeen(one)} : {...one, keys};
      const twin = symptoms.find(other => other.ended !== undefined && idOf(other) === idOf(one));
      if (twin === undefined) symptoms.push(gone);
      else
        Object.assign(twin, {
          keys: [...new Set([...twin.keys, ...keys])],
          ended: Math.max(twin.ended ?? 0, gone.ended ?? 0),
        });
    }
    const quietSince = current.size === 0 ? (incident.quietSince ?? this.#moment.at) : undefined;
    const over = quietSince !== undefined && this.#moment.at - quietSince >= QUIET_MILLISECONDS;
    if (!over && shapeOf(symptoms) === shapeOf(incident.symptoms)) return;
    incident.symptoms = symptoms;
    if (quietSince === undefined) delete incident.quietSince;
    else incident.quietSince = quietSince;
    if (symptoms.some(isSourceFailure)) nameSources(incident);
    if (over) this.#end(incident);
    this.#updates.set(incident.id, incident);
  }

  /** Unchanged while the same keys show it: a count that grows in its message is not an update. */
  #symptomOf(incident: IncidentDraft, {check, keys}: CurrentSymptom): Symptom {
    const {code, collection, severity, title, message, evidence, hint, reconcile} = check;
    const before = incident.symptoms.find(one => one.ended === undefined && idOf(one) === idOf(check));
    const own = keys.filter(key => key !== '').sort();
    if (before !== undefined && String(before.keys) === String(own)) return before;
    return {
      code,
      collection,
      keys: own,
      severity,
      title: (own.length > 1 ? groupTitle(code, own.length) : undefined) ?? title,
      message,
      began: before?.began ?? this.#moment.writes,
      ...(evidence === undefined ? {} : {evidence}),
      ...(reconcile === undefined ? {} : {reconcile}),
      ...(hint === undefined ? {} : {hint}),
    };
  }

  /** The previous round of checks still found it. */
  #lastSeen({began}: Symptom): number {
    return Math.max(began, this.#moment.before);
  }

  #end(incident: IncidentDraft): void {
    const ended = Math.max(...incident.symptoms.map(one => one.ended ?? one.began));
    incident.ended = ended;
    incident.endedAt = Math.round(
      ended < this.#reader.records.oldest()
        ? (incident.quietSince ?? incident.beganAt)
        : this.#reader.records.timeOf(ended),
    );
  }

  #forget(): void {
    const ended = [...this.#ended].sort((a, b) => (a.ended ?? 0) - (b.ended ?? 0));
    for (const {id} of ended.slice(0, Math.max(0, ended.length - MAX_ENDED)))
      this.#updates.set(id, undefined);
  }
}

function idOf({code, collection}: {readonly code: string; readonly collection: string}): string {
  return `${code}\n${collection}`;
}

/** Which keys show which symptom, and which have ended. */
function shapeOf(symptoms: readonly Symptom[]): string {
  return JSON.stringify(symptoms.map(one => [idOf(one), one.ended !== undefined, one.keys]).sort());
}

/** An alternating row has many writes of one object as origins: they all count as the same. */
function isSameWrite(a: OriginWrite | null, b: OriginWrite, {code}: Check): boolean {
  if (a === null || a.collection !== b.collection || a.key !== b.key) return false;
  return a.sequence === b.sequence || code === 'flip-flop';
}

/** All sources of a cluster that is away are one sentence. */
function nameSources(incident: IncidentDraft): void {
  const failing = incident.symptoms.filter(one => isSourceFailure(one));
  const now = failing.filter(one => one.ended === undefined);
  const symptoms = now.length > 0 ? now : failing;
  const [first] = symptoms;
  if (first === undefined) return;
  const names = [...new Set(symptoms.map(one => one.collection).filter(name => name !== ''))];
  const isSeveral = names.length > 1;
  incident.title = isSeveral ? unreadableSourcesTitle(names.length) : first.title;
  incident.sentence = isSeveral ? unreadableSourcesSentence(first.message, names.slice(1)) : first.message;
  incident.parts = say`${incident.sentence}`;
  incident.origin = {sentence: incident.sentence, write: null};
}
