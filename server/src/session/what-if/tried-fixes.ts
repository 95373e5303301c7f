// Tries the fixes of open incidents in the copy, and says which of them end their incident.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Incident, Incidents} from '@krtscope/shared/incidents.ts';
import {
  type FixOutcome,
  fixOutcomes,
  type TriedFixes,
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

export async function tryFixes(engine: EngineHandle, tryEdits: TryEdits): Promise<TriedFixes> {
  const graph = (await engine.ask({ask: 'graph'})) as Graph;
  const {incidents, sequence} = (await engine.ask({ask: 'incidents', state: 'open'})) as Incidents;
  const fixes: TriedFixes['fixes'] = [];
  for (const incident of incidents) {
    const {fix} = incident.origin;
    if (fix === undefined || fixes.length >= MAX_FIXES) continue;
    fixes.push({incident: incident.id, fix, tried: await outcomeOf(incident, fix, graph, tryEdits)});
  }
  fixes.sort((a, b) => fixOutcomes.indexOf(a.tried) - fixOutcomes.indexOf(b.tried));
  return {sequence, fixes};
}

async function outcomeOf(
  incident: Incident,
  fix: string,
  graph: Graph,
  tryEdits: TryEdits,
): Promise<FixOutcome> {
  const edit = fixEdit(fix, graph);
  if (edit === undefined) return 'cannot-try';
  try {
    const {incidents} = await tryEdits(whatIfRequestSchema.parse({edits: [edit], collections: []}));
    if (incidents.ended.some(({id}) => id === incident.id)) return 'ends';
  } catch {
    // The object is gone, the value is hidden, or the schema refuses it.
    return 'cannot-try';
  }
  return 'patch' in edit && ACTS_THROUGH_CONTROLLER.test(edit.patch.collection)
    ? 'cannot-try'
    : 'does-not-end';
}
