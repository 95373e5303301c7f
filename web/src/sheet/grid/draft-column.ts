// A column that no answer holds: the Lab's draft, drawn at the sheet's right edge. The sheet knows where it stands, not what it means.
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {createContext, type ReactNode} from 'react';

export interface DraftColumn {
  /** The collection whose keys align the rows. */
  root: string;
  width: number;
  name: ReactNode;
  fields: ReactNode;
  cell: (row: SheetRow, child: number) => ReactNode;
  /** The rows in view, whenever they change. */
  onRows: (rows: readonly SheetRow[], first: number, count: number) => void;
}

export const DraftColumnContext = createContext<DraftColumn | null>(null);
