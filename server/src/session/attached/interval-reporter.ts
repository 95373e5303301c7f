// Reports documents and the log of an attached program as batches. A document and the lines about its changes arrive
// at different times, so each waits a moment for the other.
import type {ProgramWork} from '@krtscope/shared/programs/work.ts';
import {CauseInference} from '../../attach/infer/cause-inference.ts';
import {type DocumentChange, documentChanges} from '../../attach/infer/document-change.ts';
import {InferenceMemory} from '../../attach/infer/inference-memory.ts';
import {type ComposedChange, composeBatch} from '../../attach/infer/interval-batch.ts';
import {baseName, KrtzStructure, type RowRef} from '../../attach/infer/krtz-structure.ts';
import type {KrtzDocument} from '../../attach/krtz-document.ts';
import {keysChangedAt} from '../../attach/lag/changed-objects.ts';
import type {ClusterObjects} from '../../attach/lag/cluster-objects.ts';
import type {LogFollower} from '../../attach/log/log-follower.ts';
import type {LogBatch} from '../../attach/log/run-assembler.ts';
import {DocumentFacts} from '../../attach/work/document-facts.ts';
import {RunTally} from '../../attach/work/run-tally.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import type {ProgramChangeReport} from '../../engine/link/program-batch.ts';
import {piecesOf, reportOf} from './polled-report.ts';
import {ReportedGraph} from './reported-graph.ts';
import {writerOfRow} from './row-writer.ts';

/** How long a changed row waits for its lines after its document came. */
const LINE_WAIT_MS = 700;
/** How long lines wait for a document that fails, or that is later than expected. */
const DOCUMENT_WAIT_MS = 1500;
const FIRST_DOCUMENT_WAIT_MS = 10_000;
/** A document that was requested this long after a line has the rows of that line. */
const LINE_AGE_MS = 50;
/** Batches whose rows wait for their values while the document fails. */
const MAX_UNSEEN_BATCHES = 10_000;

interface PendingBatch {
  batch: LogBatch;
  arrived: number;
}

export class IntervalReporter {
  readonly #engine: EngineHandle;
  readonly #log: LogFollower | undefined;
  readonly #clusterOf: () => ClusterObjects | undefined;
  readonly #memory = new InferenceMemory();
  readonly #runTally = new RunTally();
  readonly #documentFacts = new DocumentFacts();
  readonly #graph: ReportedGraph;
  readonly #since = Date.now();
  /** The last reported document, and the newest one. */
  #reported: KrtzStructure | undefined;
  /** When the request of the last reported document began. */
  #reportedAt = 0;
  #newest: {structure: KrtzStructure; document: KrtzDocument; began: number; arrived: number} | undefined;
  #differences: DocumentChange[] = [];
  #pending: PendingBatch[] = [];
  /** Reported batches whose rows no document has shown since. */
  #withoutValues: LogBatch[] = [];
  /** Rows that only the log named. */
  readonly #unseen = new Map<string, RowRef & {input: string | undefined}>();
  #isFailing = false;
  /** When the next document should be there. A large one is requested only now and then. */
  #expectedAt = 0;

  /** `clusterOf` finds the session of the program's cluster. */
  constructor(
    engine: EngineHandle,
    log: LogFollower | undefined,
    clusterOf: () => ClusterObjects | undefined = () => undefined,
  ) {
    this.#engine = engine;
    this.#log = log;
    this.#clusterOf = clusterOf;
    this.#graph = new ReportedGraph(engine, name => this.#reported?.rows(name).keys() ?? []);
  }

  /** What the program did in vain, and what stands out in its documents. */
  get work(): ProgramWork {
    const documents = this.#documentFacts.factsAt(Date.now());
    return {
      since: this.#since,
      ...this.#runTally.totals,
      collections: this.#runTally.collections,
      documents,
    };
  }

  /** How many fetches the last known run of an input had. */
  fetchCount(collection: string, input: string): number | undefined {
    const count = (this.#newest?.structure ?? this.#reported)?.fetchesOf(collection, input).length;
    return count === 0 ? undefined : count;
  }

  /** A document arrived whose request began at this time. */
  takeDocument(document: KrtzDocument, began: number): void {
    const structure = new KrtzStructure(document);
    this.#isFailing = false;
    this.#graph.markSeen();
    this.#newest = {structure, document, began, arrived: Date.now()};
    if (this.#reported === undefined) {
      this.#reportFirst(document, structure);
      return;
    }
    this.#differences = documentChanges(this.#reported, structure);
  }

  /** The next document should arrive at this time. Lines wait for it, because only it says what changed. */
  expectDocumentAt(time: number): void {
    this.#expectedAt = time;
  }

  /** No document arrives. `lastSeen` is the time of the last one. */
  markFailing(lastSeen: number | undefined): void {
    this.#isFailing = true;
    if (lastSeen !== undefined) this.#graph.markLastSeen(lastSeen);
  }

  /** Reports what is complete. Returns the milliseconds after which to call again, if something waits. */
  settle(): number | undefined {
    const now = Date.now();
    for (const batch of this.#log?.take() ?? []) this.#pending.push({batch, arrived: now});
    const wait = this.#waitFor(now);
    if (wait !== undefined && wait > 0) return wait;
    this.#report(now);
    return undefined;
  }

  /** Reports everything, for saved files: the newest document is later than all lines. */
  settleNow(): void {
    for (const batch of this.#log?.take() ?? []) this.#pending.push({batch, arrived: 0});
    this.#report(Date.now());
  }

  /** Undefined if there is nothing to wait for. */
  #waitFor(now: number): number | undefined {
    const oldest = this.#pending[0]?.arrived;
    if (this.#reported === undefined)
      return oldest === undefined ? undefined : oldest + this.#firstDocumentWait - now;
    if (oldest !== undefined && !this.#coversLines()) {
      const expected = this.#isFailing ? oldest : Math.max(oldest, this.#expectedAt);
      return expected + DOCUMENT_WAIT_MS - now;
    }
    const newest = this.#newest;
    if (newest === undefined || this.#log?.isTelling !== true) return undefined;
    return this.#hasAllLines() ? undefined : newest.arrived + LINE_WAIT_MS - now;
  }

  get #firstDocumentWait(): number {
    return this.#isFailing ? DOCUMENT_WAIT_MS : FIRST_DOCUMENT_WAIT_MS;
  }

  /** Whether the newest document is newer than all pending lines, or shows all their rows. */
  #coversLines(): boolean {
    if (this.#newest === undefined || this.#isFailing) return false;
    const newestLine = this.#pending.at(-1)?.arrived ?? 0;
    return this.#newest.began >= newestLine + LINE_AGE_MS || this.#hasAllRows();
  }

  /** Whether the newest document shows every row that the lines name. */
  #hasAllRows(): boolean {
    const structure = this.#newest?.structure;
    const changed = new Set(this.#differences.map(idOf));
    return this.#pending.every(({batch}) =>
      batch.outputs.every(({key, change}) => {
        const names = structure?.namesakes(batch.collection) ?? [];
        return names.some(collection => {
          const isThere = structure?.has({collection, key}) === true;
          return change === 'deleted' ? !isThere : isThere && changed.has(idOf({collection, key}));
        });
      }),
    );
  }

  /** Whether the lines name every changed row of the collections that write lines. */
  #hasAllLines(): boolean {
    const named = new Set(
      [...this.#pending.map(({batch}) => batch), ...this.#withoutValues].flatMap(({collection, outputs}) =>
        outputs.map(({key}) => idOf({collection, key})),
      ),
    );
    return this.#differences.every(
      ({collection, key}) =>
        !this.#writesLines(collection) || named.has(idOf({collection: baseName(collection), key})),
    );
  }

  /** Sources, statics, indexes and plain copies write no lines. */
  #writesLines(collection: string): boolean {
    if (this.#memory.speaking.has(baseName(collection))) return true;
    const facts = this.#newest?.structure.collection(collection);
    return facts?.kind === 'derived' || facts?.kind === 'singleton';
  }

  #reportFirst(document: KrtzDocument, structure: KrtzStructure): void {
    const at = Date.now();
    this.#graph.report(document.collections, at);
    const changes = document.items.map(
      ([collection, key, value]): ProgramChangeReport => ({
        collection,
        key,
        event: this.#unseen.has(idOf({collection, key})) ? 'update' : 'add',
        new: value,
        received: at,
      }),
    );
    for (const piece of piecesOf(changes)) this.#engine.applyReported(piece, reportOf(at));
    for (const inputs of piecesOf(document.inputs)) this.#engine.applyReported([], {...reportOf(at), inputs});
    this.#reported = structure;
    this.#documentFacts.take(structure, undefined, at);
    this.#reportedAt = this.#newest?.began ?? at;
    this.#dropUnseen(structure, at);
  }

  #report(now: number): void {
    // Lines that are newer than the document are reported without it.
    const isUsable = !this.#isFailing && (this.#pending.length === 0 || this.#coversLines());
    const newest = isUsable ? this.#newest : undefined;
    const pending = this.#pending.map(({batch}) => batch);
    const differences = newest === undefined ? [] : this.#differences;
    if (newest !== undefined) this.#graph.report(newest.document.collections, now);
    if (
      pending.length === 0 &&
      differences.length === 0 &&
      (newest === undefined || this.#unseen.size === 0)
    ) {
      if (newest !== undefined) {
        this.#reported = newest.structure;
        this.#documentFacts.take(newest.structure, [], now);
        this.#reportedAt = newest.began;
      }
      return;
    }
    // The values of rows that the log named while the document failed are known now.
    const earlier = newest === undefined ? [] : this.#withoutValues.map(withoutEqualRuns);
    const batches = [...earlier, ...pending];
    const {structure} = newest ?? {};
    // Lines from before the first document have no earlier one to compare with.
    const documents = [...new Set([structure, this.#reported])].filter(one => one !== undefined);
    const cluster = this.#clusterOf();
    const inference = new CauseInference(this.#memory, documents, differences, {
      keysChangedAt: cluster && ((collection, time) => keysChangedAt(collection, time, cluster)),
    });
    const runs = inference.infer(batches);
    if (newest !== undefined) {
      this.#memory.keepChanges(differences, this.#reportedAt, newest.arrived);
      this.#documentFacts.take(newest.structure, differences, newest.arrived);
    }
    this.#runTally.add({
      // Batches that were reported before without their values are counted once.
      runs: runs.filter(({line}) => line >= (pending[0]?.first ?? Number.POSITIVE_INFINITY)),
      originOf: run => inference.originOf(run),
      sizeOf: name => this.#sizeOf(name, structure ?? this.#reported),
    });
    this.#graph.reportOwners(batches, now);
    const {changes, runs: told} = composeBatch({
      before: this.#reported,
      after: structure,
      changes: differences,
      runs,
      inference,
      hasLog: this.#log !== undefined && this.#log.state.level !== 'info',
      isKnown: ref => this.#reported?.has(ref) === true || this.#unseen.has(idOf(ref)),
      outputsOf: (collection, input) => this.#outputsOf(collection, input, structure ?? this.#reported),
    });
    const first = Math.min(...pending.map(({time}) => time), now);
    const report = {...reportOf(now), received: Number.isFinite(first) ? first : now, runs: told};
    const explained = new Set(runs.map(({collection, input}) => `${collection}\n${input}`));
    const inputs = newest === undefined ? [] : this.#unexplainedInputs(newest, differences, explained);
    this.#engine.applyReported(
      changes.map(change => this.#withWriter(change, now)),
      inputs.length > 0 ? {...report, inputs} : report,
    );
    const makers = new Map(
      runs.flatMap(({collection, input, outputs}) =>
        outputs.map(({key}) => [idOf({collection, key}), input] as const),
      ),
    );
    this.#afterReport(changes, pending, structure, makers, now);
  }

  /** The cluster's own session knows who wrote the object of an informer row. */
  #withWriter(change: ComposedChange, received: number): ProgramChangeReport {
    const {collection, key, event, run} = change;
    const cluster = run === null ? this.#clusterOf() : undefined;
    const isSource = this.#newest?.structure.collection(collection)?.kind === 'source';
    if (cluster === undefined || !isSource) return {...change, received};
    const old = this.#reported?.value({collection, key});
    const writer = writerOfRow({collection, key, event, old, new: change.new}, cluster);
    return writer === undefined ? {...change, received} : {...change, received, writer};
  }

  /** The rows of an input in the document, and those that only the log named. */
  #outputsOf(collection: string, input: string, structure: KrtzStructure | undefined): readonly string[] {
    const known = structure?.outputsOf(collection, input) ?? [];
    const unseen = [...this.#unseen.values()].flatMap(ref =>
      ref.collection === collection && ref.input === input ? [ref.key] : [],
    );
    return unseen.length === 0 ? known : [...known, ...unseen];
  }

  #sizeOf(name: string, structure: KrtzStructure | undefined): number {
    const collection = structure?.namesakes(name).at(-1);
    return collection === undefined ? 0 : (structure?.rows(collection).size ?? 0);
  }

  #afterReport(
    changes: readonly DocumentChange[],
    pending: readonly LogBatch[],
    structure: KrtzStructure | undefined,
    makers: ReadonlyMap<string, string>,
    now: number,
  ): void {
    this.#pending = [];
    if (structure !== undefined) {
      this.#differences = [];
      this.#reported = structure;
      this.#reportedAt = this.#newest?.began ?? now;
      this.#withoutValues = [];
      for (const change of changes) if (!structure.has(change)) this.#unseen.delete(idOf(change));
      this.#dropUnseen(structure, now);
      return;
    }
    this.#withoutValues = [...this.#withoutValues, ...pending].slice(-MAX_UNSEEN_BATCHES);
    for (const {collection, key, event} of changes) {
      const id = idOf({collection, key});
      if (event === 'delete') this.#unseen.delete(id);
      else if (this.#reported?.has({collection, key}) !== true)
        this.#unseen.set(id, {collection, key, input: makers.get(id)});
    }
  }

  /** Removes rows that the log named and the document does not have. */
  #dropUnseen(structure: KrtzStructure, received: number): void {
    const gone = [...this.#unseen.values()].filter(ref => !structure.has(ref));
    this.#unseen.clear();
    for (const piece of piecesOf(gone))
      this.#engine.applyReported(
        piece.map(({collection, key}) => ({collection, key, event: 'delete' as const, received})),
        reportOf(received),
      );
  }

  /** Changed inputs that no line tells about, with their rows and fetches. */
  #unexplainedInputs(
    {document}: {document: KrtzDocument},
    differences: readonly DocumentChange[],
    explained: ReadonlySet<string>,
  ): KrtzDocument['inputs'] {
    const changed = new Set(differences.map(idOf));
    return document.inputs.filter(({collection, input, outputs}) => {
      if (explained.has(`${collection}\n${input}`)) return false;
      if (this.#reported?.hasInput(collection, input) !== true) return true;
      if (outputs.some(key => changed.has(idOf({collection, key})))) return true;
      return this.#reported.outputsOf(collection, input).length !== outputs.length;
    });
  }
}

function withoutEqualRuns(batch: LogBatch): LogBatch {
  return batch.outputs.length > 0 ? batch : {...batch, runs: []};
}

function idOf({collection, key}: RowRef): string {
  return `${collection}\n${key}`;
}
