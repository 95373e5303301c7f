// Compares keys by their segments: `bank/cards/pay.example.com` and `pay.example.com` share one.

export function sharedSegments(a: string, b: string): number {
  const segments = new Set(a.split('/').filter(segment => segment !== ''));
  let shared = 0;
  for (const segment of new Set(b.split('/'))) if (segments.has(segment)) shared += 1;
  return shared;
}

/** Whether the key has all segments of the other one: a namespace alone says nothing. */
export function isPartOf(part: string, key: string): boolean {
  return sharedSegments(key, part) === new Set(part.split('/')).size;
}

/** The first segment of a collection's name: `ambient/WorkloadServices` belongs to `ambient`. */
export function familyOf(collection: string): string {
  const slash = collection.indexOf('/');
  return slash < 0 ? collection : collection.slice(0, slash);
}

/** The keys that share most segments with this one; several if that does not decide. */
export function mostShared(key: string, keys: readonly string[]): string[] {
  const shared = new Map(keys.map(one => [one, sharedSegments(one, key)]));
  const most = Math.max(0, ...shared.values());
  return [...shared].flatMap(([one, count]) => (count === most ? [one] : []));
}
