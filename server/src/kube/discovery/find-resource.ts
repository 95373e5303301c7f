// Finds a resource by any name that kubectl takes: plural, singular, kind or short name, with or without version
// and group (`deploy.v1.apps`).
import type {DiscoveredResource} from './discovery.ts';

const VERSION = /^v\d+((alpha|beta)\d+)?$/;

/** Returns resources that can be listed, each in the version that the server prefers. Keeps the order of discovery. */
export function listableResources(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  const found = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    if (!resource.verbs.includes('list')) continue;
    const id = `${resource.group}/${resource.plural}`;
    const earlier = found.get(id);
    if (earlier === undefined || (resource.preferred && !earlier.preferred)) found.set(id, resource);
  }
  return [...found.values()];
}

/** Returns undefined if the server has no listable resource of that name. */
export function findResource(
  resources: readonly DiscoveredResource[],
  text: string,
): DiscoveredResource | undefined {
  const [name = '', ...rest] = text.trim().toLowerCase().split('.');
  const version = VERSION.test(rest[0] ?? '') ? rest.shift() : undefined;
  const group = rest.join('.');
  if (name === '') return undefined;
  const all = resources.filter(({verbs}) => verbs.includes('list'));
  const ofVersion =
    version === undefined ? listableResources(all) : all.filter(one => one.version === version);
  const named = ofVersion.filter(
    one =>
      one.plural === name ||
      one.singular === name ||
      one.kind.toLowerCase() === name ||
      one.shortNames.includes(name),
  );
  // A plural wins over an equal singular or short name.
  const best = [...named].sort((a, b) => Number(b.plural === name) - Number(a.plural === name));
  if (group === '') return best[0];
  return best.find(one => one.group === group) ?? best.find(one => one.group.startsWith(group));
}
