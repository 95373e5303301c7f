// The keys of the Lab.
import type {RefObject} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {navigate} from '../store/app.ts';
import type {CodeEditorHandle} from './editor/CodeEditor.tsx';
import type {LabBarActions} from './LabBar.tsx';
import type {RunStepper} from './preview/use-run-stepper.ts';

export function useLabKeys(
  actions: LabBarActions,
  stepper: RunStepper,
  editor: RefObject<CodeEditorHandle | null>,
  runNow: () => void,
): void {
  useKeys({
    'Mod+S': {says: 'save as a collection', group: 'Here', typing: true, run: actions.onSave},
    'Mod+Enter': {says: 'run now', group: 'Here', typing: true, run: runNow},
    F8: {says: 'first row that fails', group: 'Here', typing: true, run: actions.onError},
    F10: {says: 'step through the run', group: 'Here', typing: true, run: actions.onStep},
    'Shift+F10': {says: 'step back', group: 'Here', typing: true, run: stepper.stepBack},
    F11: {says: 'into the fetched collection', group: 'Here', typing: true, run: stepper.stepIn},
    'Shift+F11': {says: 'back to the draft', group: 'Here', typing: true, run: stepper.stepOut},
    e: {says: 'edit the formula', group: 'Here', run: () => editor.current?.focus()},
    t: {says: 'pin the row as a test', group: 'Here', run: actions.onPin},
    d: {
      says: 'compare with a column',
      group: 'Here',
      run: () => document.getElementById('lab-shadow')?.click(),
    },
    'Shift+G': {says: 'copy as Go krt', group: 'Copy', run: actions.onGo},
    'Shift+Y': {says: 'copy link', group: 'Copy', run: actions.onLink},
    Escape: {
      says: 'end stepping',
      group: 'Here',
      run: () => (stepper.step === null ? false : stepper.setStep(null)),
    },
    i: {says: 'inspector in the Sheet', group: 'Here', run: () => navigate({view: 'sheet', inspector: true})},
  });
}
