// Tries the fixes of incidents and origins in the copy, and says which of them work. The texts stay as they are.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Incident, Incidents} from '@krtscope/shared/incidents.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {FixOutcome, Origin} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import {
  type EditInput,
  type RowDifference,
  type WhatIf,
  type WhatIfRequest,
  whatIfRequestSchema,
} from '@krtscope/shared/what-if/what-if.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import {fixEdit} from './fix-edit.ts';

/** A page shows fewer. Each trial takes about 0.2 s. */
const MAX_FIXES = 20;
/** A change of these shows in Pods only after a controller has reacted. */
const ACTS_THROUGH_CONTROLLER = /^(?:Deployments|ReplicaSets|StatefulSets|DaemonSets|Jobs|CronJobs)$/;

type TryEdits = (request: WhatIfRequest) => Promise<WhatIf>;

interface FixTrial {
  readonly edit: EditInput;
  readonly answer: WhatIf;
}

export class FixTrials {
  readonly #engine: EngineHandle;
  readonly #at: number | undefined;
  readonly #tryEdits: TryEdits;
  #graph: Graph | undefined;

  constructor(engine: EngineHandle, at: number | undefined, tryEdits: TryEdits) {
    this.#engine = engine;
    this.#at = at;
    this.#tryEdits = tryEdits;
  }

  async ofIncidents(answer: Incidents): Promise<Incidents> {
    const incidents: Incident[] = [];
    let trials = 0;
    for (const incident of answer.incidents) {
      const {fix} = incident.origin;
      if (fix === undefined || incident.ended !== undefined) {
        incidents.push(incident);
        continue;
      }
      trials += 1;
      const tried = trials > MAX_FIXES ? 'cannot-try' : await this.#ofIncident(incident.id, fix);
      incidents.push({...incident, origin: {...incident.origin, tried}});
    }
    return {...answer, incidents};
  }

  async ofOrigin(origin: Origin): Promise<Origin> {
    const {fix} = origin;
    if (fix === undefined) return origin;
    const open = (await this.#engine.ask({ask: 'incidents', state: 'open', at: this.#at})) as Incidents;
    const incident = open.incidents.find(one => one.origin.fix === fix);
    const tried =
      incident === undefined ? await this.#ofValue(origin, fix) : await this.#ofIncident(incident.id, fix);
    return {...origin, tried};
  }

  async #ofIncident(id: string, fix: string): Promise<FixOutcome> {
    const trial = await this.#try(fix, []);
    if (trial === undefined) return 'cannot-try';
    return outcomeOf(
      trial,
      trial.answer.incidents.ended.some(one => one.id === id),
    );
  }

  /** No incident is open: the fix works if the value is another one afterwards. */
  async #ofValue({collection, key, field}: Origin, fix: string): Promise<FixOutcome> {
    const trial = await this.#try(fix, [collection]);
    if (trial === undefined) return 'cannot-try';
    const rows = trial.answer.collections[collection] ?? [];
    return outcomeOf(
      trial,
      rows.some(row => isAbout(row, key) && (field === undefined || isFieldChanged(row, field))),
    );
  }

  /** Undefined for a command that is not an edit of a source, and for one that the schema refuses. */
  async #try(fix: string, collections: string[]): Promise<FixTrial | undefined> {
    this.#graph ??= (await this.#engine.ask({ask: 'graph', at: this.#at})) as Graph;
    const edit = fixEdit(fix, this.#graph);
    if (edit === undefined) return undefined;
    try {
      const request = whatIfRequestSchema.parse({edits: [edit], collections, at: this.#at});
      return {edit, answer: await this.#tryEdits(request)};
    } catch {
      // The object is gone, the value is hidden, the schema refuses it, or the session cannot recompute.
      return undefined;
    }
  }
}

function outcomeOf({edit}: FixTrial, isEnded: boolean): FixOutcome {
  if (isEnded) return 'ends';
  return 'patch' in edit && ACTS_THROUGH_CONTROLLER.test(edit.patch.collection)
    ? 'cannot-try'
    : 'does-not-end';
}

/** An origin can be asked for an input that has no row. */
function isAbout(row: RowDifference, key: string): boolean {
  return row.key === key || row.run?.input === key;
}

function isFieldChanged({old, new: now}: RowDifference, field: string): boolean {
  return !deepEqual(readPath(old, field), readPath(now, field));
}
