// The rows of the palette and of the command line for a text, in groups.
import type {SessionsAnswer} from '@krtscope/shared/session.ts';
import {useMemo} from 'react';
import {navigate, setParams, toast, useApp} from '../../store/app.ts';
import {goTo, select, useSelectedItem} from '../../store/navigation.ts';
import type {PageView} from '../../store/route.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useNamespaces} from '../../stream/use-namespaces.ts';
import {useAnswer, useGraph} from '../../stream/use-subscription.ts';
import {downloadRecording} from '../settings/download-recording.ts';
import {type CommandCompletion, completeCommand, type LineCommand, searchOfCommand} from './command-line.ts';
import {
  collectionEntries,
  commandEntries,
  matchEntries,
  type PaletteEntry,
  viewEntriesAsCommands,
} from './palette-entries.ts';
import {ageWords, offeredAges, parseAge, sequenceAt, whySearch} from './palette-verbs.ts';
import {useHits} from './SearchBox.tsx';
import {useSuggestions} from './use-suggestions.ts';

export type PaletteRow =
  | {id: string; entry: PaletteEntry}
  | {id: string; hit: ReturnType<typeof useHits>['flat'][number]; view: PageView; search: string};

export interface PaletteRows {
  groups: {label: string; rows: PaletteRow[]}[];
  total: number;
  pending: boolean;
}

const MAX_HITS_PER_KIND = 7;
const groupOrder = ['Open incidents', 'Recent', 'Compare', 'Collections', 'Views', 'Commands'] as const;

export function usePaletteRows(mode: 'all' | 'jump', text: string): PaletteRows {
  const commands = useCommandRows(mode === 'jump' ? text : null);
  const everything = useSearchRows(mode === 'all' ? text : null);
  return mode === 'jump' ? commands : everything;
}

/** Null while the other mode is open. */
function useSearchRows(text: string | null): PaletteRows {
  const graph = useGraph();
  const why = whySearch(text ?? '');
  const search = why ?? text ?? '';
  const {groups: hits, total, pending} = useHits(search);
  const suggestions = useSuggestions();
  return useMemo(() => {
    if (text === null) return {groups: [], total: 0, pending: false};
    // A limit for each kind, so that sources do not push derived items out of sight.
    const items = hits
      .filter(group => group.label !== 'Collections')
      .map(({label, hits: groupHits}) => {
        const rows = groupHits.slice(0, MAX_HITS_PER_KIND).map(
          ({hit}): PaletteRow => ({
            id: `${hit.collection} ${hit.key} ${hit.where}`,
            hit,
            view: why === null ? 'sheet' : 'why',
            search,
          }),
        );
        const shown = groupHits.length > rows.length ? `, ${rows.length} of ${groupHits.length}` : '';
        return {label: `${why === null ? '' : 'Why: '}${label}${shown}`, rows};
      });
    // Titles are long, so single letters in order would match almost all of them.
    const words = text.trim().toLowerCase();
    const entries = [
      ...suggestions.filter(one => one.label.toLowerCase().includes(words)),
      ...compareEntries(text),
      ...collectionEntries(graph?.collections ?? []),
      ...viewEntriesAsCommands(),
      ...commandEntries(() => void downloadRecording()),
    ];
    const found = why === null ? groupEntries(matchEntries(entries, text), text === '' ? 40 : 6) : [];
    const first = text === '' ? ['Open incidents', 'Compare'] : ['Compare', 'Open incidents'];
    // What the words ask for, and what is wrong, come before items that merely contain them.
    const groups = [
      ...first.flatMap(label => found.filter(group => group.label === label)),
      ...items,
      ...found.filter(group => !first.includes(group.label)),
    ];
    return {groups: groups.filter(hasRows), total, pending};
  }, [graph, hits, total, pending, suggestions, text, why, search]);
}

/** Null while the other mode is open. */
function useCommandRows(text: string | null): PaletteRows {
  const graph = useGraph();
  const session = useConnection(link => link.session?.id);
  const {answer} = useAnswer<SessionsAnswer>('/sessions', session);
  const namespaces = useNamespaces();
  const selected = useSelectedItem();
  const {flat, pending} = useHits(searchOfCommand(text ?? ''));
  return useMemo(() => {
    if (text === null) return {groups: [], total: 0, pending: false};
    const completions = completeCommand(text, {
      collections: graph?.collections ?? [],
      namespaces: namespaces?.names ?? [],
      sessions: (answer?.sessions ?? []).map(({name}) => name),
      selected,
      hits: flat,
    });
    const views = matchEntries(viewEntriesAsCommands(), text);
    const kinds = new Map((graph?.collections ?? []).map(one => [one.name, one.kind]));
    const rows = completions.map(
      (one): PaletteRow => ({
        id: one.label,
        entry: {
          ...entryOf(one),
          ...('collection' in one.command ? {kind: kinds.get(one.command.collection)} : {}),
        },
      }),
    );
    const groups = [{label: 'Commands', rows}, ...groupEntries(views, 40)].filter(hasRows);
    return {groups, total: 0, pending};
  }, [graph, namespaces, answer, selected, flat, pending, text]);
}

function entryOf({label, note, command}: CommandCompletion): PaletteEntry {
  return {
    id: label,
    group: 'Commands',
    label,
    icon: 'right',
    ...(note === undefined ? {} : {note}),
    run: () => runCommand(command),
  };
}

function runCommand(command: LineCommand): void {
  switch (command.run) {
    case 'open': {
      const {collection, namespace, filter} = command;
      const params: Record<string, string> = filter === undefined ? {} : {q: filter};
      const {namespace: current} = useApp.getState().route;
      navigate({
        page: 'session',
        view: 'sheet',
        collection,
        key: null,
        params,
        namespace: namespace ?? current,
      });
      return;
    }
    case 'session':
      return navigate({page: 'session', session: command.name, collection: null, key: null, params: {}});
    case 'namespace':
      return navigate({namespace: command.name});
    case 'why':
      return select(command.item, 'why');
  }
}

/** Offered for `compare` and `go to`, with the age in the text or with usual ones. */
function compareEntries(text: string): PaletteEntry[] {
  const verb =
    text
      .trim()
      .toLowerCase()
      .split(/[\s\d]/)[0] ?? '';
  if (verb.length < 2) return [];
  const age = parseAge(text);
  const ages = age === null ? offeredAges : [age];
  // The label begins with the text, so that the entry matches it and comes first.
  const labelled = (label: string) => (age === null ? label : text.trim());
  const offers: PaletteEntry[] = [];
  for (const one of ages) {
    if ('compare'.startsWith(verb) || 'diff'.startsWith(verb))
      offers.push({
        id: `compare ${one}`,
        group: 'Compare',
        label: labelled(`Compare with ${ageWords(one)}`),
        note: age === null ? 'differences since then' : `Compare with ${ageWords(one)}`,
        icon: 'clock',
        run: () => void compareWith(one),
      });
    if ('go'.startsWith(verb))
      offers.push({
        id: `go ${one}`,
        group: 'Compare',
        label: labelled(`Go to ${ageWords(one)}`),
        note: age === null ? '' : `Go to ${ageWords(one)}`,
        icon: 'clock',
        run: () => void sequenceAt(one).then(goTo, reportFailure),
      });
  }
  return offers;
}

/** Shows now, paused, with the differences since then. */
async function compareWith(age: number): Promise<void> {
  try {
    const before = await sequenceAt(age);
    navigate({view: 'sheet', moment: useConnection.getState().sequence});
    setParams({vs: String(before)});
  } catch (error) {
    reportFailure(error);
  }
}

function reportFailure(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error), 'error');
}

function groupEntries(found: readonly PaletteEntry[], limit: number): PaletteRows['groups'] {
  return groupOrder.map(label => ({
    label,
    rows: found
      .filter(entry => entry.group === label)
      .slice(0, limit)
      .map((entry): PaletteRow => ({id: entry.id, entry})),
  }));
}

function hasRows({rows}: {rows: readonly unknown[]}): boolean {
  return rows.length > 0;
}
