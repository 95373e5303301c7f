// The depth of values that others sent. Code that walks them by recursion, as JSON.stringify does, fails if they are deeper
// than the stack. Each reader of foreign JSON asks here first.

/** No object of Kubernetes is nested so deep. */
export const MAX_DEPTH = 500;

/** Walks by levels instead of recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null) for (const inside of Object.values(one)) next.push(inside);
    level = next;
  }
  return false;
}
