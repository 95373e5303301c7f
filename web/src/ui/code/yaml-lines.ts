// Values as lines of YAML: rarely read parts are folded, changed paths are found. Yaml.tsx draws them.
import {type Path, parsePath, readPath, writePath} from '@krtscope/shared/path.ts';
import {stringify} from 'yaml';

export interface YamlLine {
  /** Leading spaces, then the field name (or list dash) and the text after it. */
  indent: number;
  name: string;
  text: string;
  path: string;
  /** The path as the API writes it: positions and names with dots in brackets. */
  field: string;
  changed: boolean;
  /** The earlier value, on the line that changed. */
  was?: string;
}

interface YamlBlock {
  lines: YamlLine[];
  /** Folded top-level parts, by path, with their lines. */
  folds: {path: string; label: string; lines: YamlLine[]}[];
}

/** A value in one line, as it stands after a colon. */
export function inlineText(value: unknown): string {
  if (value === undefined) return '(none)';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value);
}

const foldedPaths = ['status', 'metadata.managedFields'];

function scalarText(value: unknown): string {
  if (typeof value === 'string') {
    if (value.includes('\n')) return JSON.stringify(value);
    return stringify(value, {lineWidth: 0}).trimEnd();
  }
  if (Array.isArray(value)) return '[]';
  if (typeof value === 'object' && value !== null) return '{}';
  return String(value);
}

function isLeaf(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.keys(value).length === 0;
}

interface YamlWalkContext {
  previous: unknown;
  changed: string[];
}

function isSamePath(parts: Path, path: string): boolean {
  const other = parsePath(path);
  return other.length === parts.length && other.every((part, at) => part === String(parts[at]));
}

function walkLines(
  value: unknown,
  parts: Path,
  indent: number,
  dash: boolean,
  context: YamlWalkContext,
): YamlLine[] {
  const entries = Object.entries(value as object);
  const inList = Array.isArray(value);
  return entries.flatMap(([name, child], at) => {
    const here = [...parts, inList ? Number(name) : name];
    const path = here.join('.');
    const change = context.changed.find(one => isSamePath(here, one));
    const was =
      change === undefined || context.previous === undefined ? undefined : readPath(context.previous, change);
    const first = dash && at === 0;
    const label = inList ? '-' : `${first ? '- ' : ''}${name}:`;
    const line: YamlLine = {
      indent: first ? indent - 2 : indent,
      name: label,
      text: isLeaf(child) ? scalarText(child) : '',
      path,
      field: writePath(here),
      changed: change !== undefined,
      ...(change === undefined || context.previous === undefined
        ? {}
        : {was: was === undefined ? 'not set' : inlineText(was)}),
    };
    if (isLeaf(child)) return [line];
    if (inList && !Array.isArray(child)) return walkLines(child, here, indent + 2, true, context);
    return [line, ...walkLines(child, here, indent + 2, false, context)];
  });
}

/** A value's lines; `status` and `managedFields` are folded unless the change is inside them. */
export function toYamlBlock(value: unknown, previous: unknown, changed: string[]): YamlBlock {
  if (isLeaf(value)) {
    return {
      lines: [
        {indent: 0, name: '', text: scalarText(value), path: '', field: '', changed: changed.includes('')},
      ],
      folds: [],
    };
  }
  const context: YamlWalkContext = {previous, changed};
  const lines = walkLines(value, [], 0, false, context);
  const folds: YamlBlock['folds'] = [];
  for (const path of foldedPaths) {
    const inside = lines.filter(line => line.path === path || line.path.startsWith(`${path}.`));
    // Every write changes managedFields, so a change there does not unfold it.
    const opened = path !== 'metadata.managedFields' && inside.some(line => line.changed);
    if (inside.length < 2 || opened) continue;
    folds.push({path, label: path.split('.').at(-1)!, lines: inside});
  }
  const hidden = new Set(folds.flatMap(fold => fold.lines));
  return {
    lines: withoutEmptyParents(
      lines.filter(line => !hidden.has(line)),
      lines,
    ),
    folds,
  };
}

/** A parent with only folded children would look empty. */
function withoutEmptyParents(shown: YamlLine[], all: YamlLine[]): YamlLine[] {
  const isParent = (line: YamlLine) =>
    line.text === '' && all.some(one => one.path.startsWith(`${line.path}.`));
  return shown.filter(line => !isParent(line) || shown.some(one => one.path.startsWith(`${line.path}.`)));
}

/** The whole value as YAML text, for copying. */
export function yamlText(value: unknown): string {
  return stringify(value, {lineWidth: 0});
}
