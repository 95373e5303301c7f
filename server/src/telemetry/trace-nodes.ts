// Batches, reconciles and API calls on their way to spans. A node opens its parent's span before its own, whatever the
// order in which their facts arrived.
import type {ControllerFact} from '@krtscope/shared/programs/program-facts.ts';
import type {BatchSpan} from '../engine/link/span-facts.ts';
import type {SpanAttributes, SpanWriter, WrittenSpan} from './span-writer.ts';

export type FactOf<F extends ControllerFact['fact']> = Extract<ControllerFact, {fact: F}>;
export type CallFact = FactOf<'read' | 'write'>;

const MAX_LINKS = 32;

/** Opens its span at the first call. */
export abstract class TraceNode {
  #span: WrittenSpan | undefined;
  #isOpening = false;

  /** Undefined in a circle: a batch may contain both a write and the write of a controller that it woke. */
  open(): WrittenSpan | undefined {
    if (this.#span !== undefined || this.#isOpening) return this.#span;
    this.#isOpening = true;
    this.#span = this.create();
    this.#isOpening = false;
    return this.#span;
  }

  protected abstract create(): WrittenSpan;
}

/** The spans of these nodes: the first is the parent, the others are links. */
function openAll(nodes: Iterable<TraceNode | undefined>): {parent?: WrittenSpan; links: WrittenSpan[]} {
  const spans = new Set<WrittenSpan>();
  for (const node of nodes) {
    const span = node?.open();
    if (span !== undefined) spans.add(span);
    if (spans.size > MAX_LINKS) break;
  }
  const [parent, ...links] = spans;
  return {...(parent === undefined ? {} : {parent}), links};
}

/** A batch and its runs. */
export class BatchNode extends TraceNode {
  readonly #writer: SpanWriter;
  readonly #session: string;
  readonly #calls: () => Iterable<TraceNode | undefined>;
  #batch: BatchSpan | undefined;

  /** `calls` are the API calls that made its changes, in the order of the changes. */
  constructor(
    writer: SpanWriter,
    session: string,
    batch: BatchSpan,
    calls: () => Iterable<TraceNode | undefined>,
  ) {
    super();
    this.#writer = writer;
    this.#session = session;
    this.#batch = batch;
    this.#calls = calls;
  }

  protected create(): WrittenSpan {
    const batch = this.#batch as BatchSpan;
    const {received, settled} = batch;
    const [first] = batch.changes;
    const span = this.#writer.start({
      name: first === undefined ? 'batch' : `${first.event} ${first.collection}`,
      start: received,
      attributes: batchAttributes(this.#session, batch),
      ...openAll(this.#calls()),
    });
    if (span.isRecording) this.#writeRuns(span, batch);
    span.end(Math.max(received, settled));
    // The ids are enough from here on.
    this.#batch = undefined;
    return span;
  }

  #writeRuns(parent: WrittenSpan, {received, runs}: BatchSpan): void {
    const spans: WrittenSpan[] = [];
    for (const {collection, input, outcome, start, duration, cause, from = [], error} of runs) {
      const attributes: SpanAttributes = {
        'krt.collection': collection,
        'krt.input': input,
        'krt.outcome': outcome,
      };
      if (cause !== undefined) attributes['krt.cause'] = cause;
      // A run after this one cannot be linked yet: its span has no ids.
      const links = from.map(place => spans[place]).filter(span => span !== undefined);
      const at = received + start;
      const span = this.#writer.start({name: `run ${collection}`, start: at, attributes, parent, links});
      span.end(at + duration, error);
      spans.push(span);
    }
  }
}

function batchAttributes(session: string, batch: BatchSpan): SpanAttributes {
  const attributes: SpanAttributes = {
    'krt.session': session,
    'krt.sequence': batch.sequence,
    'krt.changes': batch.changeCount,
    'krt.runs': batch.runCount,
  };
  const [first] = batch.changes;
  if (first === undefined) return attributes;
  const {collection, key, event, resourceVersion, writer} = first;
  Object.assign(attributes, {'krt.collection': collection, 'krt.input': key, 'krt.event': event});
  if (resourceVersion !== undefined) attributes['krt.resource_version'] = resourceVersion;
  if (writer !== undefined) attributes['krt.writer'] = writer;
  return attributes;
}

/** One attempt of a controller. */
export class ReconcileNode extends TraceNode {
  readonly #writer: SpanWriter;
  readonly #program: string;
  readonly #start: FactOf<'start'>;
  readonly #causes: () => Iterable<TraceNode | undefined>;

  constructor(
    writer: SpanWriter,
    program: string,
    start: FactOf<'start'>,
    causes: () => Iterable<TraceNode | undefined>,
  ) {
    super();
    this.#writer = writer;
    this.#program = program;
    this.#start = start;
    this.#causes = causes;
  }

  protected create(): WrittenSpan {
    const {controller, key, run, attempt, at} = this.#start;
    return this.#writer.start({
      name: `reconcile ${controller}`,
      start: at,
      attributes: {
        'krt.program': this.#program,
        'krt.controller': controller,
        'krt.request': key,
        'krt.reconcile_id': run,
        'krt.attempt': attempt,
      },
      ...openAll(this.#causes()),
    });
  }

  end({at, result, error}: FactOf<'end'>): void {
    const span = this.open();
    span?.setAttributes({'krt.result': result});
    span?.end(at, error);
  }
}

/** A request of a controller to the API server. */
export class CallNode extends TraceNode {
  readonly #writer: SpanWriter;
  readonly #fact: CallFact;
  readonly #reconcile: ReconcileNode;

  constructor(writer: SpanWriter, fact: CallFact, reconcile: ReconcileNode) {
    super();
    this.#writer = writer;
    this.#fact = fact;
    this.#reconcile = reconcile;
  }

  protected create(): WrittenSpan {
    const {verb, kind, namespace, name, at, took = 0, error} = this.#fact;
    const attributes: SpanAttributes = {'krt.verb': verb, 'krt.kind': kind};
    if (namespace !== undefined) attributes['krt.namespace'] = namespace;
    if (name !== undefined) attributes['krt.name'] = name;
    if ('subresource' in this.#fact && this.#fact.subresource !== undefined)
      attributes['krt.subresource'] = this.#fact.subresource;
    const parent = this.#reconcile.open();
    const span = this.#writer.start({
      name: `${verb} ${kind}`,
      start: at - took,
      attributes,
      parent,
      client: true,
    });
    span.end(at, error);
    return span;
  }
}
