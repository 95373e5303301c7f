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
