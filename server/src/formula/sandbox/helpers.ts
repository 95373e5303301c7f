// The helper functions of docs/formulas.md for Kubernetes objects.
import {decodeBase64, encodeBase64} from '@krtscope/shared/certificates/base64.ts';
import {certificates} from '@krtscope/shared/certificates/certificate.ts';
import {selectorMatches} from './selector.ts';

interface KubeObjectLike {
  metadata?: {
    name?: unknown;
    namespace?: unknown;
    labels?: Record<string, string>;
    ownerReferences?: {kind?: string; name?: string; uid?: string; controller?: boolean}[];
  };
  status?: {conditions?: {type?: string; status?: string}[]};
}

const asKubeObjectLike = (item: unknown): KubeObjectLike =>
  typeof item === 'object' && item !== null ? (item as KubeObjectLike) : {};

function nameOf(item: unknown): string {
  const name = asKubeObjectLike(item).metadata?.name ?? (item as {name?: unknown} | null)?.name;
  return typeof name === 'string' ? name : '';
}

export function namespaceOf(item: unknown): string {
  const namespace =
    asKubeObjectLike(item).metadata?.namespace ?? (item as {namespace?: unknown} | null)?.namespace;
  return typeof namespace === 'string' ? namespace : '';
}

function keyOf(item: unknown): string {
  const {key} = (item ?? {}) as {key?: unknown};
  if (typeof key === 'string') return key;
  const namespace = namespaceOf(item);
  return namespace === '' ? nameOf(item) : `${namespace}/${nameOf(item)}`;
}

const units: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Its owner, the controller first. */
export function ownerOf(item: unknown): {kind: string; name: string} | undefined {
  const owners = asKubeObjectLike(item).metadata?.ownerReferences ?? [];
  const owner = owners.find(({controller}) => controller === true) ?? owners[0];
  return owner === undefined ? undefined : {kind: owner.kind ?? '', name: owner.name ?? ''};
}

export const helpers = {
  keyOf,
  nameOf,
  namespaceOf,
  labelsOf: (item: unknown): Record<string, string> => asKubeObjectLike(item).metadata?.labels ?? {},
  ownerOf,
  isReady: (item: unknown): boolean =>
    asKubeObjectLike(item).status?.conditions?.some(
      ({type, status}) => type === 'Ready' && status === 'True',
    ) ?? false,
  /** Whether labels satisfy a selector: a plain map, or matchLabels and matchExpressions. An empty one selects all. */
  matches: selectorMatches,
  /** Parses a quantity such as 250m, 1Gi or 2. */
  quantity: (text: unknown): number => {
    const found = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(String(text ?? '0'));
    if (found === null) throw new TypeError(`"${String(text).slice(0, 40)}" is not a quantity`);
    return Number(found[1]) * (found[2] === undefined ? 1 : (units[found[2]] ?? 1));
  },
  /** Parses a Kubernetes time to milliseconds since 1970. */
  time: (text: unknown): number => {
    const time = Date.parse(String(text));
    if (Number.isNaN(time)) throw new TypeError(`"${String(text).slice(0, 40)}" is not a time`);
    return time;
  },
  groupBy: <T>(list: Iterable<T>, by: (item: T) => unknown): Record<string, T[]> => {
    const groups: Record<string, T[]> = Object.create(null);
    for (const item of list) {
      const key = String(by(item));
      groups[key] ??= [];
      groups[key].push(item);
    }
    return groups;
  },
  countBy: <T>(list: Iterable<T>, by: (item: T) => unknown): Record<string, number> => {
    const counts: Record<string, number> = Object.create(null);
    for (const item of list) {
      const key = String(by(item));
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  },
  sum: <T>(list: Iterable<T>, of: (item: T) => unknown = item => item): number => {
    let total = 0;
    for (const item of list) total += Number(of(item) ?? 0);
    return total;
  },
  unique: <T>(list: Iterable<T>): T[] => [...new Set(list)],
  decodeBase64,
  encodeBase64,
  certificates,
} as const;
