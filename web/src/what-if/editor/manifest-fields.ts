// What the schema of a kind says about a place in a manifest. Pure.

import type {FieldNode, KindFields} from '@krtscope/shared/what-if/field-schema.ts';
import {withoutPlace} from '@krtscope/shared/yaml/manifest-objects.ts';
import {yamlOptions} from '@krtscope/shared/yaml/parse-yaml.ts';
import {type Document, isMap, isScalar, isSeq, type Node, type Pair, parseAllDocuments} from 'yaml';

export interface FieldOffer {
  readonly label: string;
  readonly detail: string;
  readonly about: string | undefined;
  /** What is inserted, and where the cursor goes from its end. */
  readonly text: string;
}

/** Set by the server, so an editor does not offer them. */
const SERVER_FIELDS = new Set([
  'status',
  'managedFields',
  'uid',
  'resourceVersion',
  'generation',
  'selfLink',
]);

/** The node at a path from the root; `[]` enters a list. */
export function nodeAt(fields: KindFields | undefined, path: readonly string[]): FieldNode | undefined {
  let node = fields?.root;
  for (const part of path) {
    if (node === undefined) return undefined;
    node = part === '[]' ? node.of : childOf(fields as KindFields, node, part);
  }
  return node;
}

function childOf(fields: KindFields, node: FieldNode, name: string): FieldNode | undefined {
  if (node.type === 'map') return node.of;
  const own = node.object === undefined ? undefined : fields.objects[node.object];
  return own !== undefined && Object.hasOwn(own, name) ? own[name] : undefined;
}

/** The fields that may be written in an object, without those that it has. */
export function fieldOffers(
  fields: KindFields,
  path: readonly string[],
  siblings: ReadonlySet<string>,
  column: number,
): FieldOffer[] {
  const node = nodeAt(fields, path);
  const own = node?.object === undefined ? {} : (fields.objects[node.object] ?? {});
  return Object.entries(own)
    .filter(([name]) => !siblings.has(name) && !SERVER_FIELDS.has(name))
    .map(([name, field]) => ({
      label: name,
      detail: typeText(field),
      about: field.about,
      text: `${name}:${openingText(field, column)}`,
    }));
}

/** The values that a field may have. */
export function valueOffers(fields: KindFields, path: readonly string[]): string[] {
  const node = nodeAt(fields, path);
  if (node?.type === 'boolean') return ['true', 'false'];
  return [...(node?.choices ?? [])];
}

function openingText({type}: FieldNode, column: number): string {
  const indent = `\n${' '.repeat(column + 2)}`;
  if (type === 'object' || type === 'map') return indent;
  return type === 'list' ? `${indent}- ` : ' ';
}

function typeText({type, of, choices}: FieldNode): string {
  if (choices !== undefined) return choices.slice(0, 3).join(' | ');
  return of === undefined ? type : `${type} of ${of.type}`;
}

export interface ManifestFinding {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

type FieldsOf = (apiVersion: string, kind: string) => KindFields | undefined;

/** The documents' kinds, to know which schemas are needed. It runs at every key stroke, so it does not parse the text. */
export function kindsOf(text: string): {apiVersion: string; kind: string}[] {
  return text.split(/^---.*$/m).flatMap(document => {
    const [, apiVersion] = /^apiVersion:\s*["']?([\w./-]+)/m.exec(document) ?? [];
    const [, kind] = /^kind:\s*["']?(\w+)/m.exec(document) ?? [];
    return apiVersion === undefined || kind === undefined ? [] : [{apiVersion, kind}];
  });
}

/** Unknown fields and values of a wrong type. Required fields are left to the server: an apply may leave them out. */
export function findFieldErrors(text: string, fieldsOf: FieldsOf): ManifestFinding[] {
  const found: ManifestFinding[] = [];
  for (const document of parseAllDocuments(text, {...yamlOptions, uniqueKeys: true})) {
    for (const error of document.errors)
      found.push({
        from: error.pos[0],
        to: Math.max(error.pos[0] + 1, error.pos[1]),
        severity: 'error',
        message: withoutPlace(error.message),
      });
    if (document.errors.length > 0 || !isMap(document.contents)) continue;
    const fields = fieldsOf(textOf(document, 'apiVersion'), textOf(document, 'kind'));
    if (fields?.root !== undefined) checkNode(fields, fields.root, document.contents, [], found);
  }
  return found;
}

const MAX_DEPTH = 60;

function checkNode(
  fields: KindFields,
  schema: FieldNode,
  node: Node,
  path: readonly string[],
  found: ManifestFinding[],
): void {
  if (path.length > MAX_DEPTH || schema.type === 'any') return;
  const [from = 0, to = 0] = node.range ?? [];
  const wrong = (wants: string) =>
    found.push({
      from,
      to: Math.max(to, from + 1),
      severity: 'error',
      message: `${writtenPath(path)} is ${wants}`,
    });
  if (isScalar(node) && node.value === null) return;
  if (schema.type === 'object' || schema.type === 'map') {
    if (!isMap(node))
      return void (node.range && !isAlias(node) && wrong('an object: write its fields below it'));
    for (const pair of node.items) checkPair(fields, schema, pair as Pair<Node, Node | null>, path, found);
    return;
  }
  if (schema.type === 'list') {
    if (!isSeq(node)) return void (!isAlias(node) && wrong('a list: start its items with a dash'));
    for (const [at, item] of node.items.entries())
      if (schema.of !== undefined && item !== null)
        checkNode(fields, schema.of, item as Node, [...path, `[${at}]`], found);
    return;
  }
  if (isAlias(node)) return;
  if (!isScalar(node)) return void wrong(`a ${schema.type}, not an object or a list`);
  const {value} = node;
  if (!isOfType(value, schema.type)) wrong(`${article(schema.type)}, not ${JSON.stringify(value)}`);
  else if (schema.choices !== undefined && !schema.choices.includes(String(value)))
    wrong(`one of ${schema.choices.join(', ')}`);
}

function checkPair(
  fields: KindFields,
  schema: FieldNode,
  {key, value}: Pair<Node, Node | null>,
  path: readonly string[],
  found: ManifestFinding[],
): void {
  const name = isScalar(key) ? String(key.value) : undefined;
  if (name === undefined || name === '<<') return;
  const child = childOf(fields, schema, name);
  if (child === undefined) {
    const [from = 0, to = 0] = key.range ?? [];
    found.push({from, to, severity: 'error', message: `${kindName(fields, path)} has no field ${name}`});
  } else if (value !== null) checkNode(fields, child, value, [...path, name], found);
}

function isOfType(value: unknown, type: FieldNode['type']): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number';
  return typeof value === type;
}

const isAlias = (node: Node) => 'source' in node && !isScalar(node) && !isMap(node) && !isSeq(node);
const article = (type: string) =>
  type === 'integer' ? 'a whole number' : type === 'string' ? 'a text: quote it' : `a ${type}`;
const writtenPath = (path: readonly string[]) => path.join('.').replaceAll('.[', '[') || 'the document';
const kindName = (fields: KindFields, path: readonly string[]) =>
  path.length === 0 ? fields.kind : writtenPath(path);

function textOf(document: Document.Parsed | Document, name: string): string {
  const value = (document as Document).get(name);
  return typeof value === 'string' ? value : '';
}
