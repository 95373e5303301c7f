// The effect of a random script on its sources and switches so far. A graph can be built from it at any time.
import {type CaseSpec, hasKey, type Item, TRIGGERS} from './model-spec.ts';

export class Script {
  readonly spec: CaseSpec;
  /** The objects of each source. */
  readonly items: Map<string, Item>[];
  readonly latched: boolean[];
  readonly attached: Set<number>[];
  readonly salts: number[];
  readonly outside: number[] = Array.from({length: TRIGGERS}, () => 0);
  /** The number of nodes. */
  created = 0;

  constructor(spec: CaseSpec) {
    this.spec = spec;
    // A constructor refuses an item without a usable key.
    this.items = spec.nodes.map(
      (_, i) =>
        new Map((spec.initial[i] ?? []).filter(item => hasKey(spec, item)).map(item => [item.key, item])),
    );
    this.latched = spec.nodes.map(node => !('late' in node && node.late));
    this.attached = spec.nodes.map(node => new Set(node.kind === 'nested' ? node.attached : []));
    this.salts = spec.nodes.map(() => 0);
  }
}

/** Stable text of a row. An undefined property equals a missing one. */
export function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}:${text(v)}`)
    .join(',')}}`;
}
