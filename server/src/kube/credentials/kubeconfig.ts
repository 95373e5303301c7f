// Reads kubeconfig files, checks them, and merges them as kubectl does. Errors name the file and line.
// credentials.ts turns one context into credentials.

import {readFileSync} from 'node:fs';
import {dirname, isAbsolute, resolve} from 'node:path';
import {isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap} from 'yaml';
import {isRecord} from '../object.ts';

export interface ClusterEntry {
  name: string;
  server: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'tls-server-name'?: string;
  'proxy-url'?: string;
}

export interface UserEntry {
  name: string;
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  as?: string;
  'as-groups'?: string[];
  exec?: Record<string, unknown>;
  'auth-provider'?: Record<string, unknown>;
}

export interface ContextEntry {
  name: string;
  cluster: string;
  user: string;
  namespace?: string;
}

export interface Kubeconfig {
  files: string[];
  currentContext: string | undefined;
  clusters: Map<string, ClusterEntry>;
  users: Map<string, UserEntry>;
  contexts: Map<string, ContextEntry>;
}

/** The message is one line: file, line number if available, reason. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  readonly file: string;
  readonly line: number | undefined;
  readonly reason: string;

  constructor(file: string, reason: string, line?: number) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }
}

/** Reads and merges the files in order; the first definition of a name wins, as in kubectl. */
export function readKubeconfig(files: readonly string[]): Kubeconfig {
  const merged: Kubeconfig = {
    files: [...files],
    currentContext: undefined,
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };
  for (const file of files) {
    const parsed = parseKubeconfig(readText(file), file);
    merged.currentContext ??= parsed.currentContext;
    mergeFirst(merged.clusters, parsed.clusters);
    mergeFirst(merged.users, parsed.users);
    mergeFirst(merged.contexts, parsed.contexts);
  }
  return merged;
}

function mergeFirst<T>(into: Map<string, T>, from: Map<string, T>): void {
  for (const [name, entry] of from) if (!into.has(name)) into.set(name, entry);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason =
      code === 'ENOENT'
        ? 'the file does not exist'
        : code === 'EACCES'
          ? 'you have no permission to read the file'
          : code === 'EISDIR'
            ? 'it is a folder, not a file'
            : (error as Error).message;
    throw new KubeconfigError(file, reason);
  }
}

/** Parses the text of one file. Relative paths in it start at the file's folder. */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const lines = new LineCounter();
  const document = parseDocument(text, {lineCounter: lines, prettyErrors: false});
  const lineAt = (offset: number | undefined) =>
    offset === undefined ? undefined : lines.linePos(offset).line;
  const problem = document.errors[0];
  if (problem) throw new KubeconfigError(file, `not valid YAML: ${problem.message}`, lineAt(problem.pos[0]));
  const root = document.contents as Node | null;
  const config: Kubeconfig = {
    files: [file],
    currentContext: undefined,
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };
  if (root === null || (isScalar(root) && root.value === null)) return config;
  const fail = (node: unknown, reason: string): never => {
    throw new KubeconfigError(file, reason, lineAt((node as Node | null)?.range?.[0]));
  };
  if (!isMap(root)) return fail(root, 'a kubeconfig is a mapping with clusters, users and contexts');
  const kind = root.get('kind');
  if (kind !== undefined && kind !== 'Config')
    fail(root.get('kind', true), `kind is ${String(kind)}, not Config`);
  const current = root.get('current-context');
  if (current !== undefined && current !== null && typeof current !== 'string')
    fail(root.get('current-context', true), 'current-context must be a string');
  config.currentContext = typeof current === 'string' && current ? current : undefined;

  const folder = dirname(resolve(file));
  for (const {name, body, node} of entries(root, 'clusters', 'cluster', fail)) {
    if (typeof body.server !== 'string' || !URL.canParse(body.server))
      fail(node, `cluster "${name}" needs a server that is a URL, such as https://10.0.0.1:6443`);
    absolute(body, folder, 'certificate-authority');
    if (!config.clusters.has(name)) config.clusters.set(name, {...body, name} as unknown as ClusterEntry);
  }
  for (const {name, body} of entries(root, 'users', 'user', fail)) {
    absolute(body, folder, 'client-certificate', 'client-key', 'tokenFile');
    const exec = body.exec;
    if (isRecord(exec) && typeof exec.command === 'string' && /[\\/]/.test(exec.command))
      absolute(exec, folder, 'command');
    if (!config.users.has(name)) config.users.set(name, {...body, name} as unknown as UserEntry);
  }
  for (const {name, body, node} of entries(root, 'contexts', 'context', fail)) {
    if (typeof body.cluster !== 'string') fail(node, `context "${name}" names no cluster`);
    const entry = {...body, user: body.user ?? '', name} as unknown as ContextEntry;
    if (!config.contexts.has(name)) config.contexts.set(name, entry);
  }
  return config;
}

interface NamedBody {
  name: string;
  body: Record<string, unknown>;
  node: unknown;
}

function entries(
  root: YAMLMap,
  part: string,
  inner: string,
  fail: (node: unknown, reason: string) => never,
): NamedBody[] {
  const list = root.get(part, true) as unknown;
  if (list === undefined || list === null || (isScalar(list) && list.value === null)) return [];
  if (!isSeq(list)) return fail(list, `${part} must be a list`);
  return list.items.map(item => {
    if (!isMap(item)) return fail(item, `each of ${part} must have a name and a ${inner}`);
    const name = item.get('name');
    if (typeof name !== 'string' || name === '') return fail(item, `one of ${part} has no name`);
    const node = item.get(inner, true) as unknown;
    const body: unknown = isMap(node) ? node.toJSON() : (node ?? {});
    if (!isMap(node) && node !== undefined && !(isScalar(node) && node.value === null))
      return fail(node, `${inner} of "${name}" must be a mapping`);
    return {name, body: isRecord(body) && isMap(node) ? body : {}, node: node ?? item};
  });
}

function absolute(body: Record<string, unknown>, folder: string, ...fields: string[]): void {
  for (const field of fields) {
    const path = body[field];
    if (typeof path === 'string' && path && !isAbsolute(path)) body[field] = resolve(folder, path);
  }
}
