// The input keys that the sheet shows now, so that the preview runs them first.
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {useCallback, useState} from 'react';

export interface RowsInView {
  keys: string[];
  rows: readonly SheetRow[];
  set: (keys: string[], rows: readonly SheetRow[]) => void;
}

export function useRowsInView(): RowsInView {
  const [inView, setInView] = useState<{keys: string[]; rows: readonly SheetRow[]}>({keys: [], rows: []});
  // The same keys keep their identity: a new list would start another preview.
  const set = useCallback((keys: string[], rows: readonly SheetRow[]) => {
    setInView(old => {
      const same = old.keys.length === keys.length && old.keys.every((key, at) => key === keys[at]);
      return same && old.rows === rows ? old : {keys: same ? old.keys : keys, rows};
    });
  }, []);
  return {...inView, set};
}
