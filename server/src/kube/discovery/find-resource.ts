// A resource by whatever name kubectl takes for it: plural, singular, kind or short name, alone or with version and
// group behind dots.
import type {DiscoveredResource} from './discovery.ts';

const VERSION = /^v\d+((alpha|beta)\d+)?$/;

/** What can be listed, one version each: the one the server prefers. In the order of discovery, the core group first. */
export function listableResources(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  const found = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    if (!resource.verbs.includes('list')) continue;
    const id = `${resource.group}/${resource.plural}`;
    const held = found.get(id);
    if (held === undefined || (resource.preferred && !held.preferred)) found.set(id, resource);
  }
  return [...found.values()];
}

/** The resource that a person means; undefined if the server has none of that name that can be listed. */
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
  // A plural before a singular or a short name that reads the same.
  const best = [...named].sort((a, b) => Number(b.plural === name) - Number(a.plural === name));
  if (group === '') return best[0];
  return best.find(one => one.group === group) ?? best.find(one => one.group.startsWith(group));
}
