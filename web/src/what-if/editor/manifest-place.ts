// Where the cursor is in a manifest, read from the indentation: half-written YAML cannot be parsed. Pure.

/** A field's name, or `[]` for an item of a list. */
export type PlacePart = string;

export interface ManifestPlace {
  /** From the object's root to the object whose field is typed, or to the field whose value is typed. */
  readonly path: readonly PlacePart[];
  readonly isValue: boolean;
  /** The word before the cursor, and where it starts. */
  readonly word: string;
  readonly from: number;
  /** The fields that the object already has. */
  readonly siblings: ReadonlySet<string>;
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  /** The column of the field's name. */
  readonly column: number;
}

interface ManifestLine {
  /** The columns of the dashes before the text. */
  readonly dashes: readonly number[];
  /** The column of the text after the dashes. */
  readonly column: number;
  readonly name: string | undefined;
  readonly value: string | undefined;
  readonly isBlank: boolean;
}

const FIELD = /^("[^"]*"|'[^']*'|[^\s#:'"{}[\],&*!|>%@`-][^#:]*?)\s*:(?:\s+(.*))?$/;

export function placeAt(text: string, offset: number): ManifestPlace | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(start, offset);
  const above = linesOfDocument(text.slice(0, start), 'above');
  const below = linesOfDocument(
    text.slice(offset + (text.slice(offset).match(/^.*/)?.[0].length ?? 0)),
    'below',
  );
  const here = readLine(before);
  if (/^\s*#/.test(before)) return undefined;
  const field = /^((?:\s|-\s)*)([^\s:#]+):\s+(\S*)$/.exec(before);
  const isValue = field !== null;
  const word = isValue ? (field[3] ?? '') : before.slice(here.column);
  if (!isValue && /[\s:]/.test(word)) return undefined;
  const parent = parentOf(here, above);
  const siblings = new Set([
    ...(here.dashes.length > 0 ? [] : siblingsAbove(here.column, above)),
    ...siblingsBelow(here.column, below),
  ]);
  const root = [...above, ...below].filter(line => line.column === 0 && line.dashes.length === 0);
  const rootValue = (name: string) => root.find(line => line.name === name)?.value;
  return {
    path: isValue ? [...parent, unquoted(field[2] ?? '')] : parent,
    isValue,
    word,
    from: offset - word.length,
    siblings,
    apiVersion: rootValue('apiVersion'),
    kind: rootValue('kind'),
    column: here.column,
  };
}

function linesOfDocument(text: string, side: 'above' | 'below'): ManifestLine[] {
  const lines = text.split('\n');
  const isEnd = (line: string) => /^---(\s|$)/.test(line);
  const part =
    side === 'above'
      ? lines.slice(lines.findLastIndex(isEnd) + 1)
      : lines.slice(0, lines.findIndex(isEnd) < 0 ? undefined : lines.findIndex(isEnd));
  return part.map(readLine).filter(line => !line.isBlank);
}

function readLine(line: string): ManifestLine {
  const dashes: number[] = [];
  let column = 0;
  for (;;) {
    const rest = line.slice(column);
    const spaces = /^ */.exec(rest)?.[0].length ?? 0;
    column += spaces;
    if (!/^-(?:\s|$)/.test(line.slice(column))) break;
    dashes.push(column);
    column += 1;
  }
  const text = line.slice(column);
  const [, name, value] = FIELD.exec(text.trimEnd()) ?? [];
  return {
    dashes,
    column,
    name: name === undefined ? undefined : unquoted(name),
    value: value === undefined ? undefined : unquoted(value.trim()),
    isBlank: dashes.length === 0 && (text.trim() === '' || text.startsWith('#')),
  };
}

/** The path of the object that the line is a field of. */
function parentOf(here: ManifestLine, above: readonly ManifestLine[]): string[] {
  const path: string[] = [];
  let {column} = here;
  const enterDashes = (dashes: readonly number[]) => {
    for (const dash of [...dashes].reverse()) {
      path.unshift('[]');
      // A list may stand at the column of its own name.
      column = dash + 1;
    }
  };
  enterDashes(here.dashes);
  for (const line of [...above].reverse()) {
    if (column === 0) break;
    if (line.column < column && line.name !== undefined) {
      path.unshift(line.name);
      column = line.column;
      enterDashes(line.dashes);
    } else if (line.column === column && line.dashes.length > 0) {
      enterDashes(line.dashes);
    }
  }
  return path;
}

/** The names of the same object before the cursor. A dash begins the object. */
function siblingsAbove(column: number, lines: readonly ManifestLine[]): string[] {
  const names: string[] = [];
  for (const line of [...lines].reverse()) {
    if (line.column < column) break;
    if (line.column > column) continue;
    if (line.name !== undefined) names.push(line.name);
    if (line.dashes.length > 0) break;
  }
  return names;
}

/** The names of the same object after the cursor. A dash begins another object. */
function siblingsBelow(column: number, lines: readonly ManifestLine[]): string[] {
  const names: string[] = [];
  for (const line of lines) {
    if (line.column < column || (line.dashes[0] ?? column) < column) break;
    if (line.column === column && line.name !== undefined) names.push(line.name);
  }
  return names;
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
