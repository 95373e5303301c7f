// Opens What if from a row, a write, a fix or a formula's draft.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {DraftFormula} from '@krtscope/shared/what-if/what-if.ts';
import {navigate} from '../store/app.ts';
import {type EditDraft, emptyDraft, writeDraft} from './edit-draft.ts';

/** Without a draft the editor starts with the item itself. */
export function openWhatIf(item: ItemRef, draft?: Partial<EditDraft>): void {
  navigate({
    page: 'session',
    view: 'what-if',
    collection: item.collection,
    key: item.key,
    run: null,
    params: draft === undefined ? {} : {edits: writeDraft({...emptyDraft, ...draft})},
  });
}

/** The draft of a formula: which rows would differ, all the way down. */
export function openWhatIfFormula(formula: DraftFormula): void {
  navigate({
    page: 'session',
    view: 'what-if',
    collection: null,
    key: null,
    run: null,
    params: {edits: writeDraft({...emptyDraft, formulas: [formula]})},
  });
}
