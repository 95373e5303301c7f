// Which dialog of the Lab is open.
import type {ModuleState} from '@krtscope/shared/formulas.ts';
import {useState} from 'react';

type OpenDialog = {kind: 'recipes'} | {kind: 'source'} | {kind: 'module'; name: string};

export interface LabDialogs {
  open: OpenDialog['kind'] | null;
  /** The graph module whose files are shown. */
  module: ModuleState | undefined;
  showRecipes: () => void;
  showAddSource: () => void;
  showModule: (name: string) => void;
  close: () => void;
}

export function useLabDialogs(modules: readonly ModuleState[]): LabDialogs {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  return {
    open: dialog?.kind ?? null,
    module: dialog?.kind === 'module' ? modules.find(one => one.name === dialog.name) : undefined,
    showRecipes: () => setDialog({kind: 'recipes'}),
    showAddSource: () => setDialog({kind: 'source'}),
    showModule: name => setDialog({kind: 'module', name}),
    close: () => setDialog(null),
  };
}
