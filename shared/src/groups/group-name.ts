// Names of group collections: `Pods by spec.nodeName` has one row for each value at that path, with the items that have it.

const MAX_PATH = 200;

export interface GroupName {
  readonly collection: string;
  readonly path: string;
}

/** Undefined for any other name. Groups of groups do not exist. */
export function parseGroupName(name: string): GroupName | undefined {
  const [collection = '', path = '', ...more] = name.split(' by ');
  if (more.length > 0 || collection === '' || path.length > MAX_PATH || !/^\S+$/.test(path)) return undefined;
  return {collection, path};
}

export function groupName({collection, path}: GroupName): string {
  return `${collection} by ${path}`;
}

/** These names, and the collections that their groups are made of. */
export function withGrouped(names: readonly string[]): string[] {
  const grouped = names.flatMap(name => parseGroupName(name)?.collection ?? []);
  return [...new Set([...grouped, ...names])];
}
