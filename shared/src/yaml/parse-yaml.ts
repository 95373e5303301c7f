// Parses YAML as kubectl and the real server do: go-yaml's YAML 1.1, with its error texts. Builds the value itself,
// because the parser's toJS searches the anchor of every alias again, and knows neither 0644 nor merge keys.
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import {setField} from '../json/deep-copy.ts';

/** The message starts with "yaml: ". */
export class YamlError extends Error {}

interface ParsedYaml {
  value: unknown;
  /** Duplicate keys as warnings print them: `line 7: key "a" already set in map`. The last value wins. */
  doubled: string[];
}

/** For parsers that need the nodes, too. */
export const yamlOptions = {uniqueKeys: false, version: '1.1', schema: 'core'} as const;

/** The first of several documents. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {...yamlOptions, lineCounter: lines});
  for (const {code, pos} of document.errors) {
    if (code === 'MULTIPLE_DOCS') continue;
    const why = code === 'RESOURCE_EXHAUSTION' ? 'exceeded max depth' : 'did not find expected node content';
    throw new YamlError(`yaml: line ${Math.max(1, lines.linePos(pos[0]).line)}: ${why}`);
  }
  return readYaml(document.contents, lines);
}

/** The value of a parsed document without errors. */
export function readYaml(contents: Document['contents'], lines: LineCounter): ParsedYaml {
  const reader = new YamlReader(resolveAliases(contents), lines);
  return {value: reader.value(contents), doubled: reader.doubled};
}

/** The node of each alias: the last anchor of that name before it. */
function resolveAliases(contents: Node | null): Map<Alias, Node> {
  const byName = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  visit(contents, {
    Value: (_, node) => {
      if (node.anchor !== undefined) byName.set(node.anchor, node);
    },
    Alias: (_, alias) => {
      const node = byName.get(alias.source);
      if (node === undefined) throw new YamlError(`yaml: unknown anchor '${alias.source}' referenced`);
      found.set(alias, node);
    },
  });
  return found;
}

const BOOLEANS = new Map(
  [true, false].flatMap(value =>
    (value ? 'y Y yes Yes YES on On ON' : 'n N no No NO off Off OFF').split(' ').map(word => [word, value]),
  ),
);
const OCTAL = /^[-+]?0[0-7]+$/;
const GROUPED_DIGITS = /^[-+]?\d[\d_]*(\.[\d_]*)?$/;

class YamlReader {
  readonly doubled: string[] = [];
  readonly #anchored: ReadonlyMap<Alias, Node>;
  readonly #lines: LineCounter;
  /** Aliases that are being resolved, to find cycles. */
  readonly #open = new Set<Node>();
  #read = 0;
  #readAgain = 0;

  constructor(nodes: ReadonlyMap<Alias, Node>, lines: LineCounter) {
    this.#anchored = nodes;
    this.#lines = lines;
  }

  value(node: unknown): unknown {
    this.#count();
    if (isAlias(node)) return this.#behind(node, target => this.value(target));
    if (isScalar(node)) return scalarValue(node);
    if (isSeq(node)) return node.items.map(item => this.value(item));
    if (!isMap(node)) return null;
    const out: Record<string, unknown> = {};
    this.#fill(out, node);
    return out;
  }

  #behind<T>(alias: Alias, read: (target: Node) => T): T {
    const target = this.#anchored.get(alias) as Node;
    if (this.#open.has(target)) throw new YamlError(`yaml: anchor '${alias.source}' value contains itself`);
    this.#open.add(target);
    const result = read(target);
    this.#open.delete(target);
    return result;
  }

  #fill(out: Record<string, unknown>, map: YAMLMap): void {
    for (const {key, value} of map.items) {
      if (isMerge(key)) this.#merge(out, value);
      else {
        const field = this.#key(key);
        if (Object.hasOwn(out, field)) this.doubled.push(this.#twice(key, field));
        setField(out, field, this.value(value));
      }
    }
  }

  // In a list the first entry wins, so it is merged last.
  #merge(out: Record<string, unknown>, from: unknown): void {
    this.#count();
    if (isMap(from)) this.#fill(out, from);
    else if (isAlias(from) && isMap(this.#anchored.get(from)))
      this.#behind(from, target => this.#fill(out, target as YAMLMap));
    else if (isSeq(from) && from.items.every(item => !isSeq(item)))
      for (const item of from.items.toReversed()) this.#merge(out, item);
    else throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
  }

  #key(key: unknown): string {
    const value = this.value(key);
    if (value === null || typeof value === 'object')
      throw new YamlError(`yaml: invalid map key: ${JSON.stringify(value)}`);
    return String(value);
  }

  #twice(key: unknown, field: string): string {
    const [start] = (key as Node).range ?? [0];
    return `line ${this.#lines.linePos(start).line}: key ${JSON.stringify(field)} already set in map`;
  }

  // Limits aliases of aliases, which could fill the memory from a few lines.
  #count(): void {
    this.#read++;
    if (this.#open.size > 0) this.#readAgain++;
    if (this.#readAgain <= 100 || this.#read <= 1000) return;
    if (this.#readAgain / this.#read > mostAgain(this.#read))
      throw new YamlError('yaml: document contains excessive aliasing');
  }
}

/** The share of a document that may come from aliases, as in go-yaml: less for large ones. */
function mostAgain(read: number): number {
  const [small, large] = [400_000, 4_000_000];
  const share = Math.min(1, Math.max(0, (read - small) / (large - small)));
  return 0.99 - 0.89 * share;
}

function isMerge(key: unknown): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<' && key.tag === undefined;
}

function scalarValue({value, type, source, tag}: Scalar): unknown {
  if (type !== Scalar.PLAIN || tag !== undefined || source === undefined) return value ?? null;
  if (OCTAL.test(source)) return Number.parseInt(source, 8);
  if (source.includes('_') && GROUPED_DIGITS.test(source)) return Number(source.replaceAll('_', ''));
  return BOOLEANS.get(source) ?? value ?? null;
}
