// The pinned rows of a draft: compare, pin, unpin, and accept a new result.
import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import {toast} from '../../store/app.ts';
import {editDraft} from '../draft/draft-store.ts';
import type {Draft} from '../draft/drafts.ts';
import {checkPins, type PinResult, pinRow} from './pins.ts';
import type {PreviewState} from './use-preview.ts';

export interface PinActions {
  results: PinResult[];
  pin: (row: PreviewRow | undefined) => void;
  unpin: (input: string) => void;
  accept: (input: string, items: unknown[]) => void;
}

export function usePins({id, pins}: Draft, preview: PreviewState): PinActions {
  return {
    results: checkPins(pins, preview.rows, preview.whole),
    pin: row => {
      if (row === undefined || row.error) toast('Select a row that has a result first');
      else {
        editDraft(id, {pins: pinRow(pins, row)});
        toast(`${row.input} is now a test. It runs on every change.`);
      }
    },
    unpin: input => editDraft(id, {pins: pins.filter(pin => pin.input !== input)}),
    accept: (input, items) =>
      editDraft(id, {pins: pins.map(pin => (pin.input === input ? {input, items} : pin))}),
  };
}
