// Caches windows and sheets that are in use, so that the next answer costs only what changed. Fills new ones in
// slices.
import type {Question} from '@krtscope/shared/questions.ts';
import type {CollectionWindow, Sheet} from '@krtscope/shared/sheet.ts';
import type {Records, ViewChanges} from '../../../../explain/records.ts';
import type {SliceScheduler} from '../../slice-scheduler.ts';
import type {ColumnFieldFinder} from '../graph/column-fields.ts';
import {SheetView} from './sheet-view.ts';
import {WindowView} from './window-view.ts';

/** The maximum number of views. A view that is unused for this long is dropped. */
const MAX_VIEWS = 64;
const IDLE_MS = 120_000;

export type ViewQuestion = Extract<Question, {ask: 'window' | 'sheet'}>;
type ViewQuestionParams<Q> = Q extends ViewQuestion ? Omit<Q, 'offset' | 'count'> : never;

interface CachedView {
  readonly view: WindowView | SheetView;
  used: number;
  /** Callbacks that wait until the view is filled. */
  waiting: ((error?: unknown) => void)[] | undefined;
}

export interface ViewCacheOptions {
  readonly records: Records;
  readonly fields: ColumnFieldFinder;
  /** The fetches of collections, for a sheet's "also reads" bar. */
  reads(collections: readonly string[]): Sheet['reads'];
  /** Tells the views what changed. Called before a view that was filled in slices is read. */
  refresh(): void;
}

export class ViewCache {
  readonly #options: ViewCacheOptions;
  readonly #views = new Map<string, CachedView>();

  constructor(options: ViewCacheOptions) {
    this.#options = options;
  }

  clear(): void {
    this.#views.clear();
  }

  markChanged(changes: ViewChanges): void {
    const now = this.#options.records.now();
    for (const [id, cached] of this.#views) {
      if (now - cached.used > IDLE_MS) this.#views.delete(id);
      else cached.view.markChanged(changes);
    }
  }

  answer(question: ViewQuestion): CollectionWindow | Sheet {
    const {view} = this.#find(question);
    const {offset, count} = question;
    return view instanceof WindowView
      ? view.answer(offset, count)
      : view.answer(offset, count, this.#options.reads);
  }

  /** Answers when the view is filled. Reading 100,000 rows at once would block other answers. */
  answerInSlices(
    question: ViewQuestion,
    slices: SliceScheduler,
    done: (answer: unknown) => void,
    failed: (error: unknown) => void,
  ): boolean {
    const cached = this.#find(question);
    if (cached.waiting === undefined && cached.view.isReady) return false;
    const filled = (error?: unknown): void => {
      if (error === undefined) this.#tell(question, done, failed);
      else failed(error);
    };
    if (cached.waiting !== undefined) {
      cached.waiting.push(filled);
      return true;
    }
    cached.waiting = [filled];
    const finish = (error?: unknown): void => {
      const {waiting = []} = cached;
      cached.waiting = undefined;
      for (const one of waiting) one(error);
    };
    slices.run(cached.view.fill(), () => finish(), finish);
    return true;
  }

  #tell(question: ViewQuestion, done: (answer: unknown) => void, failed: (error: unknown) => void): void {
    let answer: unknown;
    try {
      this.#options.refresh();
      answer = this.answer(question);
    } catch (error) {
      failed(error);
      return;
    }
    done(answer);
  }

  /** The view of a question. Different windows share one view. */
  #find({offset: _offset, count: _count, ...params}: ViewQuestion): CachedView {
    const id = JSON.stringify(params);
    const now = this.#options.records.now();
    const cached = this.#views.get(id) ?? {view: this.#make(params), used: now, waiting: undefined};
    cached.used = now;
    // Insert it again, so that the first entry of the map is the least recently used.
    this.#views.delete(id);
    this.#views.set(id, cached);
    const oldest = this.#views.keys().next();
    if (this.#views.size > MAX_VIEWS && !oldest.done) this.#views.delete(oldest.value);
    return cached;
  }

  #make(params: ViewQuestionParams<ViewQuestion>): WindowView | SheetView {
    const {records, fields} = this.#options;
    return params.ask === 'window' ? new WindowView(records, params) : new SheetView(records, fields, params);
  }
}
