// Which collections and fields are columns, how wide they are, and their form in the URL. Pure.
import type {Graph} from '@krtscope/shared/graph.ts';
import {parsePath} from '@krtscope/shared/path.ts';
import type {SheetColumn, SheetRow} from '@krtscope/shared/sheet.ts';
import {cellText} from '../grid/cell-text.ts';

/** The collection whose keys align this one's rows: up along primary inputs, for a join its first input. */
export function rootOf(graph: Graph, collection: string): string {
  let at = collection;
  const seen = new Set([at]);
  for (;;) {
    const up =
      graph.edges.find(edge => edge.to === at && edge.kind === 'input') ??
      graph.edges.find(edge => edge.to === at && (edge.kind === 'join' || edge.kind === 'index'));
    if (!up || seen.has(up.from)) return at;
    at = up.from;
    seen.add(at);
  }
}

/** Possible roots, in the answer's order: collections that are not computed row by row from another one. */
export function roots(graph: Graph): string[] {
  const fed = new Set(graph.edges.filter(edge => edge.kind !== 'fetch').map(edge => edge.to));
  return graph.collections.filter(node => !fed.has(node.name)).map(node => node.name);
}

/**
 * The root to open without a selection: one with rows, and among those the one with the longest chain. A trigger
 * comes last, because its only row says nothing.
 */
export function bestRoot(graph: Graph): string | undefined {
  const depth = (name: string, seen: ReadonlySet<string>): number => {
    const next = graph.edges.filter(
      edge => edge.from === name && edge.kind === 'input' && !seen.has(edge.to),
    );
    return Math.max(0, ...next.map(edge => 1 + depth(edge.to, new Set([...seen, name]))));
  };
  const nodes = new Map(graph.collections.map(node => [node.name, node]));
  const all = roots(graph).map(name => ({
    name,
    depth: depth(name, new Set()),
    filled: (nodes.get(name)?.size ?? 0) > 0 && nodes.get(name)?.kind !== 'trigger' ? 1 : 0,
  }));
  return all.sort((a, b) => b.filled - a.filled || b.depth - a.depth)[0]?.name;
}

/** A column choice: hidden collections, and fields that differ from the server's default. */
export interface ColumnChoice {
  hidden: string[];
  fields: Record<string, string[]>;
}

/** The URL's form: `Workloads:owner,ip;!Endpoints`. A part without a collection belongs to `selected`. */
export function parseColumns(text: string | null, selected: string | null): ColumnChoice {
  const choice: ColumnChoice = {hidden: [], fields: {}};
  for (const part of (text ?? '').split(';').filter(Boolean)) {
    if (part.startsWith('!')) choice.hidden.push(decodeURIComponent(part.slice(1)));
    else {
      const colon = part.indexOf(':');
      const name = colon < 0 ? selected : decodeURIComponent(part.slice(0, colon));
      if (name)
        choice.fields[name] = part
          .slice(colon + 1)
          .split(',')
          .filter(Boolean)
          .map(decodeURIComponent);
    }
  }
  return choice;
}

export function formatColumns(choice: ColumnChoice): string | null {
  const encode = (text: string) => encodeURIComponent(text);
  const parts = [
    ...Object.entries(choice.fields).map(
      ([name, fields]) => `${encode(name)}:${fields.map(encode).join(',')}`,
    ),
    ...choice.hidden.map(name => `!${encode(name)}`),
  ];
  return parts.length > 0 ? parts.join(';') : null;
}

/** The query's columns, or undefined for the server's default. */
export function requestedColumns(
  choice: ColumnChoice,
  known: readonly SheetColumn[] | undefined,
): {collection: string; fields?: string[]}[] | undefined {
  if (choice.hidden.length === 0 && Object.keys(choice.fields).length === 0) return undefined;
  if (!known) return undefined;
  return known
    .filter(column => !choice.hidden.includes(column.collection))
    .map(({collection}) => {
      const fields = choice.fields[collection];
      return fields ? {collection, fields} : {collection};
    });
}

/** The root shows its keys first; so does a collection without fields. */
export interface FieldColumn {
  collection: string;
  /** A path, or `key`. */
  field: string;
  width: number;
  x: number;
  first: boolean;
  last: boolean;
  /** Whether some row has several items here. Then all rows leave room for the bracket, so that values align. */
  spills: boolean;
}

const CHAR_WIDTH = 7.25;
export const GUTTER = 32;

/** Room for row numbers: 32 px hold three digits. */
export function gutterFor(rows: number): number {
  return GUTTER + Math.max(0, String(rows).length - 3) * 7;
}

const STATE_SLOT = 16;
/** The bracket that joins the items of one row. */
const BRACKET = 12;
const PADDING = 18;
/** The count of items that a folded row hides. */
const COUNT_ROOM = 34;
/** Room at a collection's end for the arrow to the next one. */
const ARROW_ROOM = 8;

/** Columns with positions. Widths come from the first loaded rows, so that live rows never move a column. */
export function placeColumns(
  columns: readonly SheetColumn[],
  root: string,
  rows: readonly SheetRow[],
  short: boolean,
  {
    keyMost = 272,
    gutter = GUTTER,
    share = 0.88,
  }: {
    keyMost?: number;
    gutter?: number /** How many of the values must fit whole: one long name would widen every row. */;
    share?: number;
  } = {},
): FieldColumn[] {
  const placed: FieldColumn[] = [];
  let x = gutter;
  for (const column of columns) {
    const fields = shownFields(column, root);
    const end = column === columns.at(-1) ? 0 : ARROW_ROOM;
    const wide = fields.map((field, position) => {
      const width = widthOf(
        column.collection,
        field,
        rows,
        position === 0,
        short,
        fields.length === 1,
        share,
      );
      return Math.min(width, field === 'key' ? keyMost : 220);
    });
    const lacking = headerWidth(column.collection) - wide.reduce((sum, one) => sum + one, 0) - end;
    fields.forEach((field, position) => {
      const last = position === fields.length - 1;
      const width = wide[position]! + (last ? end + Math.max(0, lacking) : 0);
      placed.push({
        collection: column.collection,
        field,
        width,
        x,
        first: position === 0,
        last,
        spills:
          column.collection !== root &&
          rows.some(row => row.lines > 1 && (row.cells[column.collection]?.length ?? 0) > 1),
      });
      x += width;
    });
  }
  return placed;
}

/** On a narrow page: the root's keys, and the selected collection. */
export function compactColumns(
  columns: readonly SheetColumn[],
  root: string,
  selected: string | null,
): SheetColumn[] {
  const own = columns.find(column => column.collection === root);
  const next =
    columns.find(column => column.collection === selected && selected !== root) ??
    columns.find(column => column !== own);
  return [...(own ? [{...own, fields: []}] : []), ...(next ? [next] : [])];
}

export function shownFields(column: SheetColumn, root: string): string[] {
  const fields = column.fields.filter(field => field !== 'key');
  if (column.collection === root) return ['key', ...fields];
  return fields.length > 0 ? fields : ['key'];
}

/** How many characters of a key a column shows. Longer keys are cut in the middle, where Pods are alike. */
export function maxKeyLength(column: FieldColumn): number {
  return Math.max(12, Math.floor((column.width - PADDING) / CHAR_WIDTH));
}

function widthOf(
  collection: string,
  field: string,
  rows: readonly SheetRow[],
  first: boolean,
  short: boolean,
  alone: boolean,
  share: number,
): number {
  const lengths: number[] = [];
  let spills = false;
  let more = false;
  for (const row of rows.slice(0, 200)) {
    const cells = row.cells[collection] ?? [];
    spills ||= cells.length > 1 && row.lines > 1;
    more ||= cells.length > 1 && row.lines === 1;
    for (const cell of cells) {
      const text = field === 'key' ? shortKey(cell.key, short) : cellText(cell.fields[field]);
      lengths.push(Math.min(40, text.length));
    }
  }
  lengths.sort((a, b) => a - b);
  const most = lengths[Math.ceil(lengths.length * share) - 1] ?? 0;
  const longest = Math.max(fieldLabel(field).length, most);
  const room = PADDING + (first ? STATE_SLOT + (spills ? BRACKET : 0) : 0) + (more && alone ? COUNT_ROOM : 0);
  // A header needs room for shape, name and kind mark. Counts appear only if there is room left.
  const header = first && alone ? headerWidth(collection) : first ? 84 : 72;
  return Math.round(Math.max(header, longest * CHAR_WIDTH + room));
}

/** Cut longer names: whole, they would push other collections out of the window. */
const MAX_HEADER_WIDTH = 300;

/** Width of shape, name, kind mark and their gaps. */
export function headerWidth(collection: string): number {
  return Math.min(MAX_HEADER_WIDTH, Math.round(collection.length * 7.1 + 70));
}

export function shortKey(key: string, short: boolean): string {
  return short ? key.slice(key.indexOf('/') + 1) : key;
}

/** A path's last name: `metadata.labels[app]` reads `app`, `spec.ports[0].port` reads `port`. */
export function fieldLabel(path: string): string {
  return parsePath(path).findLast(part => !/^\d*$/.test(part)) ?? path;
}

/** Each collection's width, in the order of the columns. */
export function groupWidths(
  columns: readonly FieldColumn[],
): {collection: string; x: number; width: number; span: number}[] {
  const groups: {collection: string; x: number; width: number; span: number}[] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    if (last?.collection === column.collection) {
      last.width += column.width;
      last.span++;
    } else groups.push({collection: column.collection, x: column.x, width: column.width, span: 1});
  }
  return groups;
}

export function sheetWidth(columns: readonly FieldColumn[]): number {
  const last = columns.at(-1);
  return last ? last.x + last.width : GUTTER;
}
