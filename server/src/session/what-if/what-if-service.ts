// Answers What if: plans the edits, tries them in a copy of the graph, and says what the answer does not know.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Incidents} from '@krtscope/shared/incidents.ts';
import type {ItemDetail, Items} from '@krtscope/shared/items.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {WhatIf, WhatIfRequest} from '@krtscope/shared/what-if/what-if.ts';
import type {InstallableFormula} from '../../engine/link/commands.ts';
import type {CopyTrial, CopyTrialResult} from '../../engine/link/copy-trial.ts';
import {EngineFailure, type EngineHandle} from '../../engine/link/engine-link.ts';
import type {GraphCopy} from '../../engine/supervisor/what-if/graph-copy.ts';
import type {Redact} from '../../redact/redactor.ts';
import {compileFormulaText, firstProblem, toFormulaOrder} from '../formulas/trial/formula-compilation.ts';
import type {SessionFeed} from '../session-feed.ts';
import {type EditPlan, planEdits} from './edit-plan.ts';
import {EditableSources} from './edit-subject.ts';
import {FixTrials} from './fix-trials.ts';
import {GraphCopies} from './graph-copies.ts';
import {incidentDifference} from './incident-difference.ts';

/** Trials that may wait for the copy of one session. */
const MAX_WAITING = 16;
const PAGE = 1000;
const BEFORE_REACTION = 'This holds before any controller reacts.';

export interface WhatIfOptions {
  readonly name: string;
  readonly engine: EngineHandle;
  readonly feed: SessionFeed;
  readonly redact: Redact | undefined;
  readonly memoryMb: number;
  readonly trustsFormulas?: boolean;
  readonly idleMs?: number;
  log(message: string): void;
  /** The text of the folder's helpers. */
  helpers?(): string | undefined;
}

export class WhatIfService {
  readonly #options: WhatIfOptions;
  readonly #copies: GraphCopies;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: WhatIfOptions) {
    this.#options = options;
    const {engine, name, memoryMb, feed, trustsFormulas = false, idleMs, log} = options;
    const isRecording = feed.cluster.kind === 'recording';
    this.#copies = new GraphCopies({engine, name, memoryMb, isRecording, trustsFormulas, idleMs, log});
  }

  /** The process of the copy, for tests. */
  get copyPid(): number | undefined {
    return this.#copies.pid;
  }

  /** Rejects with EngineFailure. Trials of one session run one after the other. */
  async answer(request: WhatIfRequest, signal?: AbortSignal): Promise<WhatIf> {
    this.#refuseIfFixed();
    if (request.edits.length === 0 && (request.formulas ?? []).length === 0)
      throw new EngineFailure({
        code: 'bad-query',
        message: 'there is no edit to try',
        hint: 'send edits: [{apply: OBJECT}], [{patch: …}], [{delete: …}] or [{undo: …}]',
      });
    if (this.#waiting >= MAX_WAITING)
      throw new EngineFailure({
        code: 'too-many',
        message: `${MAX_WAITING} trials are waiting for the copy of this session`,
        hint: 'try again in a second',
      });
    this.#waiting += 1;
    const turn = this.#queue.then(() => this.#answer(request, signal));
    this.#queue = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Trials of fixes at a moment. */
  fixes(at: number | undefined, signal?: AbortSignal): FixTrials {
    return new FixTrials(this.#options.engine, at, request => this.answer(request, signal));
  }

  /** Builds the copy of now before the first trial: an editor is open. Nothing is tried. */
  warmUp(): void {
    const isBusy = this.#waiting > 0 || this.#copies.pid !== undefined;
    if (isBusy || this.#cannotRecompute !== undefined) return;
    // In the queue: two builds at once would end each other's copy.
    this.#queue = this.#queue.then(() => this.#copies.use(undefined, copy => copy.ready)).catch(() => {});
  }

  async stop(): Promise<void> {
    await this.#copies.stop();
  }

  async #answer(request: WhatIfRequest, signal: AbortSignal | undefined): Promise<WhatIf> {
    signal?.throwIfAborted();
    const {engine} = this.#options;
    const at = request.at === engine.sequence ? undefined : request.at;
    const helpers = this.#options.helpers?.();
    const formulas = await Promise.all((request.formulas ?? []).map(draft => compileDraft(draft, helpers)));
    const graph = (await engine.ask({ask: 'graph', at})) as Graph;
    const {plan, result, sequence} = await this.#copies.use(at, async copy => {
      await copy.ready;
      const planned = await this.#plan(request, at, graph, copy);
      const tried = await this.#try(copy, {
        objects: planned.objects,
        formulas,
        collections: request.collections,
      });
      return {plan: planned, result: tried, sequence: at ?? engine.sequence};
    });
    const {incidents: open} = (await engine.ask({ask: 'incidents', state: 'open', at})) as Incidents;
    return {
      sequence,
      at: Date.now(),
      collections: result.collections,
      incidents: incidentDifference(result.before, result.after, open),
      runs: result.runs,
      stopped: result.stopped,
      notes: [...plan.notes, ...resultNotes(result), ...(request.react ? [] : [BEFORE_REACTION])],
    };
  }

  /** A copy that failed in a trial, or did not return to its rows, is built again for the next one. */
  async #try(copy: GraphCopy, trial: CopyTrial): Promise<CopyTrialResult> {
    let isRestored = false;
    try {
      const result = await copy.try(trial);
      ({isRestored} = result);
      return result;
    } finally {
      if (!isRestored) await this.#copies.drop();
    }
  }

  #plan(request: WhatIfRequest, at: number | undefined, graph: Graph, copy: GraphCopy): Promise<EditPlan> {
    const {engine, feed, redact} = this.#options;
    return planEdits(request.edits, {
      sources: new EditableSources(graph),
      documents: feed.documents,
      redact,
      objects: refs => copy.objects(refs),
      ...(at === undefined && feed.readObject !== undefined
        ? {readOriginal: subject => feed.readObject?.(subject) ?? Promise.resolve(undefined)}
        : {}),
      ...(request.react ? {allObjects: collection => pagesOf(engine, collection, at)} : {}),
      recordedWrite: write => recordedWrite(engine, write),
    });
  }

  get #cannotRecompute(): string | undefined {
    return {
      attached: 'its rows are computed by another program, which krtscope only reads',
      program: 'the program computes its rows itself',
    }[this.#options.feed.cluster.kind as string];
  }

  #refuseIfFixed(): void {
    const {name} = this.#options;
    const reason = this.#cannotRecompute;
    if (reason === undefined) return;
    throw new EngineFailure({
      code: 'cannot-recompute',
      message: `${name} cannot be recomputed: ${reason}`,
      hint: 'open the cluster or the demo for What if',
    });
  }
}

async function compileDraft(
  draft: NonNullable<WhatIfRequest['formulas']>[number],
  helpers: string | undefined,
): Promise<InstallableFormula> {
  const compilation = await compileFormulaText(draft, helpers);
  if (compilation.compiled !== undefined) return toFormulaOrder(draft, compilation);
  throw new EngineFailure({
    code: 'bad-formula',
    message: `${draft.name}: ${firstProblem(compilation.problems).message}`,
    hint: 'correct the formula; POST /api/v1/formulas/preview has the place',
    errors: [...compilation.problems],
  });
}

async function* pagesOf(
  engine: EngineHandle,
  collection: string,
  at: number | undefined,
): AsyncIterable<Items['items']> {
  let cursor: string | undefined;
  do {
    const page = (await engine.ask({ask: 'items', collection, limit: PAGE, cursor, at})) as Items;
    yield page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

async function valueAt(engine: EngineHandle, item: ItemRef, at: number): Promise<unknown> {
  try {
    return ((await engine.ask({ask: 'item', ...item, at})) as ItemDetail).value ?? undefined;
  } catch (error) {
    if ((error as EngineFailure).code === 'unknown-key') return undefined;
    throw error;
  }
}

async function recordedWrite(
  engine: EngineHandle,
  {sequence, ...item}: ItemRef & {sequence: number},
): Promise<{before: unknown; after: unknown}> {
  // The later state first: a moment that has not come yet is refused with its own number.
  const after = await valueAt(engine, item, sequence);
  try {
    return {before: await valueAt(engine, item, sequence - 1), after};
  } catch (error) {
    if ((error as EngineFailure).code !== 'rolled-off') throw error;
    throw new EngineFailure({
      code: 'rolled-off',
      message: `the state before #${sequence} is not kept, so its writes cannot be taken back`,
      hint: 'take back a later write',
    });
  }
}

function resultNotes({omitted, isRestored}: CopyTrialResult): string[] {
  const notes: string[] = [];
  if (omitted > 0) notes.push(`${omitted} more rows would change; name collections to see them.`);
  if (!isRestored)
    notes.push('A formula did not return to its rows after the trial, so the next answer takes longer.');
  return notes;
}
