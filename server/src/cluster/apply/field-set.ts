// A set of field paths as a tree, written as in FieldsV1: f:name, k:{"key":"value"}, v:"value", i:0.
import {isObject, type JsonObject} from '../object/stored-object.ts';

export class FieldSet {
  /** The path that ends here belongs to the set. */
  member = false;
  readonly children = new Map<string, FieldSet>();

  static fromFieldsV1(fields: JsonObject | undefined): FieldSet {
    const set = new FieldSet();
    for (const [element, rest] of Object.entries(fields ?? {})) {
      if (element === '.') {
        set.member = true;
        continue;
      }
      const child = FieldSet.fromFieldsV1(isObject(rest) ? rest : {});
      if (child.children.size === 0) child.member = true;
      set.children.set(element, child);
    }
    return set;
  }

  toFieldsV1(): JsonObject {
    const out: JsonObject = {};
    if (this.member && this.children.size > 0) out['.'] = {};
    for (const [element, child] of [...this.children].sort(([a], [b]) => (a < b ? -1 : 1)))
      out[element] = child.toFieldsV1();
    return out;
  }

  get empty(): boolean {
    return !this.member && this.children.size === 0;
  }

  insert(path: string[]): void {
    let here: FieldSet = this;
    for (const element of path) here = here.descend(element);
    here.member = true;
  }

  descend(element: string): FieldSet {
    let child = this.children.get(element);
    if (!child) {
      child = new FieldSet();
      this.children.set(element, child);
    }
    return child;
  }

  union(other: FieldSet): FieldSet {
    const out = new FieldSet();
    out.member = this.member || other.member;
    for (const element of new Set([...this.children.keys(), ...other.children.keys()])) {
      const [mine, theirs] = [this.children.get(element), other.children.get(element)];
      out.children.set(element, mine && theirs ? mine.union(theirs) : (mine ?? theirs)!);
    }
    return out;
  }

  /** The paths of this set that are not in the other one. */
  difference(other: FieldSet): FieldSet {
    const out = new FieldSet();
    out.member = this.member && !other.member;
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      const left = theirs ? child.difference(theirs) : child;
      if (!left.empty) out.children.set(element, left);
    }
    return out;
  }

  intersection(other: FieldSet): FieldSet {
    const out = new FieldSet();
    out.member = this.member && other.member;
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      if (!theirs) continue;
      const both = child.intersection(theirs);
      if (!both.empty) out.children.set(element, both);
    }
    return out;
  }

  /** Leaves out everything under the given first elements. */
  without(elements: string[]): FieldSet {
    const out = new FieldSet();
    for (const [element, child] of this.children)
      if (!elements.includes(element)) out.children.set(element, child);
    return out;
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).empty && other.difference(this).empty;
  }

  /** Every member path, in order. */
  *paths(prefix: string[] = []): Generator<string[]> {
    if (this.member && prefix.length > 0) yield prefix;
    for (const [element, child] of [...this.children].sort(([a], [b]) => compareElements(a, b))) {
      yield* child.paths([...prefix, element]);
    }
  }
}

function compareElements(a: string, b: string): number {
  const order = 'fkvi';
  const kind = order.indexOf(a[0]!) - order.indexOf(b[0]!);
  if (kind !== 0) return kind;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A path as conflicts print it: .spec.containers[name="web"].image */
export function printPath(path: string[]): string {
  return path
    .map(element => {
      const rest = element.slice(2);
      if (element.startsWith('f:')) return `.${rest}`;
      if (element.startsWith('v:')) return `[=${rest}]`;
      if (element.startsWith('i:')) return `[${rest}]`;
      const keys = JSON.parse(rest) as Record<string, unknown>;
      return `[${Object.entries(keys)
        .map(([k, v]) => `${k}=${JSON.stringify(v)}`)
        .join(',')}]`;
    })
    .join('');
}
