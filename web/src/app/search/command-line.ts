// The command line (`:`), as in k9s: a collection with a namespace or a filter, a session, a namespace, a question. Pure.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {Hit} from '@krtscope/shared/items.ts';
import {objectName, singularOf} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import {matchScore} from './palette-entries.ts';

export interface CommandContext {
  collections: readonly CollectionNode[];
  namespaces: readonly string[];
  sessions: readonly string[];
  selected: ItemRef | null;
  /** Items that match the words after `why`. */
  hits: readonly Hit[];
}

export type LineCommand =
  | {run: 'open'; collection: string; namespace?: string; filter?: string}
  | {run: 'session'; name: string}
  | {run: 'namespace'; name: string | null}
  | {run: 'why'; item: ItemRef};

export interface CommandCompletion {
  label: string;
  note?: string;
  command: LineCommand;
}

/** Short names as kubectl takes them. */
const shortNames: Record<string, string> = {
  cm: 'configmaps',
  deploy: 'deployments',
  eps: 'endpointslices',
  netpol: 'networkpolicies',
  no: 'nodes',
  ns: 'namespaces',
  po: 'pods',
  rs: 'replicasets',
  svc: 'services',
};

const MAX_COMPLETIONS = 40;

/** The words after the name of a command, for `why`. */
export function searchOfCommand(text: string): string {
  return /^\s*why\s+(.+)/i.exec(text)?.[1] ?? '';
}

export function completeCommand(text: string, context: CommandContext): CommandCompletion[] {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  const words = rest.join(' ');
  const name = first.toLowerCase();
  const found =
    name === 'ctx' || name === 'context'
      ? sessionCompletions(words, context)
      : name === 'why'
        ? whyCompletions(words, context)
        : (name === 'ns' || name === 'namespace') && words !== ''
          ? namespaceCompletions(words, context)
          : collectionCompletions(first, words, context);
  return found.slice(0, MAX_COMPLETIONS);
}

function sessionCompletions(words: string, {sessions}: CommandContext): CommandCompletion[] {
  return matching(sessions, words).map(name => ({
    label: name,
    note: 'session',
    command: {run: 'session', name},
  }));
}

function namespaceCompletions(words: string, {namespaces}: CommandContext): CommandCompletion[] {
  const all: CommandCompletion = {label: 'All namespaces', command: {run: 'namespace', name: null}};
  const named = matching(namespaces, words).map(
    (name): CommandCompletion => ({label: name, note: 'namespace', command: {run: 'namespace', name}}),
  );
  return matchScore(words, 'all') === 0 ? [all, ...named] : named;
}

function whyCompletions(words: string, {selected, hits}: CommandContext): CommandCompletion[] {
  if (words === '')
    return selected === null
      ? []
      : [{label: `Why ${objectName(selected)}`, note: 'selected', command: {run: 'why', item: selected}}];
  return hits
    .filter(({where}) => where !== 'collection')
    .map(({collection, key}) => ({
      label: `Why ${objectName({collection, key})}`,
      note: collection,
      command: {run: 'why', item: {collection, key}},
    }));
}

function collectionCompletions(
  name: string,
  words: string,
  {collections, namespaces}: CommandContext,
): CommandCompletion[] {
  const namespace = words === '' ? undefined : matching(namespaces, words)[0];
  return collections
    .map((one, at) => ({one, at, fits: collectionScore(name, one)}))
    .filter((row): row is typeof row & {fits: number} => row.fits !== null)
    .sort((a, b) => a.fits - b.fits || a.at - b.at)
    .map(({one}): CommandCompletion => {
      const note = `${one.size.toLocaleString('en')} ${one.size === 1 ? 'item' : 'items'}`;
      const open = {run: 'open', collection: one.name} as const;
      if (words === '') return {label: one.name, note, command: open};
      if (namespace !== undefined)
        return {label: `${one.name} in namespace ${namespace}`, note, command: {...open, namespace}};
      return {label: `${one.name} with filter ${words}`, note, command: {...open, filter: words}};
    });
}

/** Exact names come first: the plural, the singular, and the short name of kubectl. */
function collectionScore(name: string, {name: collection, resource}: CollectionNode): number | null {
  const wanted = name.toLowerCase();
  const names = [collection, singularOf(collection), resource?.resource ?? '', resource?.kind ?? ''];
  const lower = names.map(one => one.toLowerCase());
  if (lower.includes(wanted) || lower.includes(shortNames[wanted] ?? ' ')) return -1;
  return matchScore(name, collection);
}

function matching(names: readonly string[], words: string): string[] {
  return names
    .map((name, at) => ({name, at, fits: matchScore(words, name)}))
    .filter((one): one is {name: string; at: number; fits: number} => one.fits !== null)
    .sort((a, b) => a.fits - b.fits || a.at - b.at)
    .map(one => one.name);
}
