// Matches and orders kinds: first those that can be added, then sources, then denied ones.
import type {KindAnswer} from '@krtscope/shared/sources.ts';

/** `core/v1`, `gateway.networking.k8s.io/v1`. */
export function groupName({group, version}: Pick<KindAnswer, 'group' | 'version'>): string {
  return `${group === '' ? 'core' : group}/${version}`;
}

/** The name for kubectl: `pods`, `gateways.gateway.networking.k8s.io`. */
export function fullName({resource, group}: Pick<KindAnswer, 'resource' | 'group'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export function matchingKinds(kinds: readonly KindAnswer[], text: string): KindAnswer[] {
  const wanted = text.trim().toLowerCase();
  return kinds
    .map(kind => ({kind, fits: matchRank(kind, wanted)}))
    .filter(({fits}) => fits < Infinity)
    .sort(
      (a, b) => a.fits - b.fits || stateRank(a.kind) - stateRank(b.kind) || compare(a.kind.name, b.kind.name),
    )
    .map(({kind}) => kind);
}

function stateRank({source, allowed}: KindAnswer): number {
  if (source !== undefined) return 1;
  return allowed ? 0 : 2;
}

function matchRank({name, resource, kind, group, shortNames}: KindAnswer, wanted: string): number {
  if (wanted === '') return 0;
  if (shortNames.includes(wanted) || resource === wanted || kind.toLowerCase() === wanted) return 0;
  if (resource.startsWith(wanted) || `${resource}.${group}`.startsWith(wanted)) return 1;
  if (name.toLowerCase().includes(wanted)) return 2;
  return group.includes(wanted) ? 3 : Infinity;
}

/** Ignores case, so that CSIDrivers comes after Ca…. */
function compare(a: string, b: string): number {
  const [lowA, lowB] = [a.toLowerCase(), b.toLowerCase()];
  return lowA < lowB ? -1 : lowA > lowB ? 1 : 0;
}
