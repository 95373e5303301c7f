// Opens What if from a row, a write or a fix.
import type {ItemRef} from '@krtscope/shared/run.ts';
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
