// The JSON of arrivals. A change of an object that the engine process holds becomes a patch.
import {writePatch} from '@krtscope/shared/json/object-patch.ts';
import type {SourceChange} from '../../link/engine-link.ts';
import type {Arrival} from '../../link/host-messages.ts';

/** `bases` are the objects that the process holds before the changes. */
export function arrivalsText(
  arrivals: readonly Arrival[],
  bases?: ReadonlyMap<SourceChange, object>,
): string {
  if (bases === undefined || bases.size === 0) return JSON.stringify(arrivals);
  return `[${arrivals.map(arrival => arrivalText(arrival, bases)).join(',')}]`;
}

function arrivalText(arrival: Arrival, bases: ReadonlyMap<SourceChange, object>): string {
  // A program's report describes whole rows.
  if (!('changes' in arrival) || arrival.told !== undefined) return JSON.stringify(arrival);
  return `{"changes":[${arrival.changes.map(change => changeText(change, bases.get(change))).join(',')}]}`;
}

function changeText(change: SourceChange, base: object | undefined): string {
  const patch = base === undefined ? undefined : writePatch(base, change.new);
  if (patch === undefined) return JSON.stringify(change);
  const {new: _, ...rest} = change;
  const {metadata} = base as {metadata: {resourceVersion: string}};
  const text = JSON.stringify({...rest, base: metadata.resourceVersion});
  return `${text.slice(0, -1)},"patch":${patch}}`;
}
