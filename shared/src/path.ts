// Paths into plain values: `metadata.labels[istio.io/use-waypoint]`, `spec.containers[0].image`.
// There is one way to write them and a lenient way to read them.

export type Path = readonly (string | number)[];

/** Writes a path: names joined by dots, array positions and names with dots in brackets. */
export function writePath(segments: Path): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number' || segment === '' || /[.[\]\s=<>!~]/.test(segment))
      text += `[${segment}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}

/** Parses a path. Brackets keep their dots, and a number in brackets may be a position. */
export function parsePath(text: string): string[] {
  const segments: string[] = [];
  let rest = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '[') {
      const end = text.indexOf(']', i);
      if (end < 0) return [...segments, rest + text.slice(i)];
      if (rest !== '') segments.push(rest);
      rest = '';
      segments.push(text.slice(i + 1, end).replace(/^["']|["']$/g, ''));
      i = end;
    } else if (char === '.') {
      if (rest !== '') segments.push(rest);
      rest = '';
    } else rest += char;
  }
  if (rest !== '') segments.push(rest);
  return segments;
}

function hasOwnName(value: object, name: string): boolean {
  return Object.hasOwn(value, name);
}

/**
 * The value at a path, or undefined. Finds dotted names without brackets (`metadata.labels.istio.io/rev`):
 * at each object, the longest own property wins. `[]` stands for every element, `[type=Ready]` for the first
 * matching one.
 */
export function readPath(value: unknown, path: string | readonly string[]): unknown {
  return readSegments(value, typeof path === 'string' ? parsePath(path) : path, 0);
}

function readSegments(value: unknown, segments: readonly string[], from: number): unknown {
  if (from === segments.length) return value;
  if (value === null || typeof value !== 'object') return undefined;
  const first = segments[from]!;
  if (Array.isArray(value)) {
    if (/^\d+$/.test(first)) return readSegments(value[Number(first)], segments, from + 1);
    const chosen = /^([\w-]+)=(.*)$/.exec(first);
    if (chosen !== null) {
      const [, name = '', expected] = chosen;
      const element = value.find(
        one =>
          one !== null && typeof one === 'object' && hasOwnName(one, name) && String(one[name]) === expected,
      );
      return readSegments(element, segments, from + 1);
    }
    // A name on an array means that name in each element. `[]` is the elements themselves.
    const next = first === '' || first === '*' ? from + 1 : from;
    const found = value.map(v => readSegments(v, segments, next)).filter(v => v !== undefined);
    return found.length === 0 ? undefined : found.flat();
  }
  for (let to = segments.length; to > from; to--) {
    const name = to === from + 1 ? first : segments.slice(from, to).join('.');
    if (hasOwnName(value, name)) {
      const found = readSegments((value as Record<string, unknown>)[name], segments, to);
      if (found !== undefined || to === from + 1) return found;
    }
  }
  return undefined;
}

/** Every leaf with its path. Empty objects and arrays are leaves. Stops after `limit` leaves. */
export function listLeaves(value: unknown, limit = 10_000): {path: (string | number)[]; value: unknown}[] {
  const found: {path: (string | number)[]; value: unknown}[] = [];
  const walk = (at: unknown, path: (string | number)[]): void => {
    if (found.length >= limit || at === undefined) return;
    if (at === null || typeof at !== 'object') {
      found.push({path, value: at});
      return;
    }
    const entries: [string | number, unknown][] = Array.isArray(at)
      ? at.map((v, i) => [i, v])
      : Object.entries(at);
    if (entries.length === 0) found.push({path, value: at});
    for (const [name, inner] of entries) walk(inner, [...path, name]);
  };
  walk(value, []);
  return found;
}
