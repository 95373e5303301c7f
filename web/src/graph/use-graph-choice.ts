// The reader's choices in the Graph. All of them are in the URL.
import {useMemo} from 'react';
import {setParams, useApp} from '../store/app.ts';
import {useSelection} from '../store/navigation.ts';
import {MAX_NODES} from './drawing/create-drawing.ts';

export const heats = ['none', 'runs', 'equal', 'size', 'failed'] as const;
export type Heat = (typeof heats)[number];

const DEFAULT_BUDGET = 150;

export interface GraphChoice {
  focus: string | undefined;
  item: {collection: string; key: string} | undefined;
  up: number;
  down: number;
  find: string;
  hide: string;
  heat: Heat;
  level: 'collections' | 'item';
  list: boolean;
  budget: number;
  opened: ReadonlySet<string>;
  openGroups: ReadonlySet<string>;
}

export function useGraphChoice(narrow: boolean): GraphChoice {
  const params = useApp(state => state.route.params);
  const {collection, key} = useSelection();
  return useMemo(() => {
    const standard = narrow ? 1 : 2;
    const [up, down] = params.hops === undefined ? [] : params.hops.split(',').map(Number);
    const item = collection !== null && key !== null ? {collection, key} : undefined;
    return {
      focus: collection ?? undefined,
      item,
      up: validHops(up, standard),
      down: validHops(down, standard),
      find: params.find ?? '',
      hide: params.hide ?? '',
      heat: heats.find(heat => heat === params.heat) ?? 'none',
      level: params.level === 'item' && item ? 'item' : 'collections',
      list: params.list === undefined ? narrow : params.list === '1',
      budget: Math.min(MAX_NODES, Math.max(1, Number(params.budget) || DEFAULT_BUDGET)),
      opened: readNames(params.opened),
      openGroups: readNames(params.groups),
    };
  }, [params, collection, key, narrow]);
}

function validHops(hops: number | undefined, standard: number): number {
  return hops === undefined || Number.isNaN(hops) || hops < 0 ? standard : Math.min(9, Math.floor(hops));
}

export function setHops(up: number, down: number): void {
  setParams({hops: `${Math.max(0, Math.min(9, up))},${Math.max(0, Math.min(9, down))}`});
}

const readNames = (text: string | undefined) =>
  new Set((text ?? '').split(',').filter(Boolean).map(decodeURIComponent));

export function setOpenGroups(groups: Iterable<string>): void {
  setParams({groups: [...groups].map(encodeURIComponent).join(',') || null});
}

export function openGroup({openGroups}: GraphChoice, id: string): void {
  setOpenGroups([...openGroups, id]);
}

export function openCollections(choice: GraphChoice, names: readonly string[]): void {
  setParams({opened: [...new Set([...choice.opened, ...names])].map(encodeURIComponent).join(',')});
}
