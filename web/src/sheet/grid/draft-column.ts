// The Lab's draft as a column at the sheet's right edge. The sheet knows only where it stands.
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {createContext, type ReactNode} from 'react';

export interface DraftColumn {
  /** The collection whose keys align the rows. */
  root: string;
  width: number;
  name: ReactNode;
  fields: ReactNode;
  cell: (row: SheetRow, child: number) => ReactNode;
  /** Called with the rows in view whenever they change. */
  onRows: (rows: readonly SheetRow[], first: number, count: number) => void;
}

export const DraftColumnContext = createContext<DraftColumn | null>(null);
