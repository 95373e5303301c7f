// Answers questions about moments that are no longer in memory. Each segment of the history opens as a file does, in a
// process of its own, so that the live session never waits.
import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {OpenedEngineHandle, UpdateListener} from '../engine/link/engine-link.ts';
import {openRecording} from '../engine/supervisor/start-engine.ts';
import type {SegmentFile} from './recording-reader.ts';
import {toFailure} from './repeat-answer.ts';

/** Processes at a time: one for the moment in view, one for a comparison. */
const MAX_OPEN = 2;
const IDLE_MS = 60_000;

export interface OlderMomentsOptions {
  name: string;
  memoryMb: number;
  fileAt(at: number): Promise<SegmentFile>;
}

interface OpenSegment {
  readonly at: number;
  readonly engine: Promise<OpenedEngineHandle>;
  /** The moments that it answers for, once they are known. */
  range: {oldest: number; newest: number} | undefined;
  users: number;
  usedAt: number;
}

export class OlderMoments {
  readonly #options: OlderMomentsOptions;
  readonly #segments = new Set<OpenSegment>();
  readonly #timer: NodeJS.Timeout;
  #stopped = false;

  constructor(options: OlderMomentsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#closeIdle(), IDLE_MS / 4);
    this.#timer.unref();
  }

  async ask(question: Question, at: number): Promise<unknown> {
    const segment = this.#segmentFor(at);
    segment.users += 1;
    try {
      return await (await segment.engine).ask(question);
    } finally {
      this.#release(segment);
    }
  }

  /** The moments that one process answers for, together with `at`. Opens it. */
  async rangeAround(at: number): Promise<{oldest: number; newest: number}> {
    const {kept} = await this.#segmentFor(at).engine;
    return kept;
  }

  subscribe(
    question: Question,
    at: number,
    on: UpdateListener,
    onFailure: (failure: ApiFailure) => void,
  ): () => void {
    const segment = this.#segmentFor(at);
    segment.users += 1;
    let unsubscribe: (() => void) | undefined;
    let isOver = false;
    segment.engine.then(
      engine => {
        if (!isOver) unsubscribe = engine.subscribe(question, on, onFailure);
      },
      (error: Error) => {
        if (!isOver) onFailure(toFailure(error));
      },
    );
    return () => {
      if (isOver) return;
      isOver = true;
      unsubscribe?.();
      this.#release(segment);
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#segments].map(segment => this.#close(segment)));
  }

  #segmentFor(at: number): OpenSegment {
    for (const segment of this.#segments) {
      const {range} = segment;
      if (range === undefined ? segment.at === at : range.oldest <= at && at <= range.newest) return segment;
    }
    const segment: OpenSegment = {
      at,
      engine: this.#open(at),
      range: undefined,
      users: 0,
      usedAt: performance.now(),
    };
    this.#segments.add(segment);
    segment.engine.then(
      ({kept}) => {
        segment.range = {oldest: kept.oldest, newest: kept.newest};
      },
      () => this.#segments.delete(segment),
    );
    this.#closeSurplus();
    return segment;
  }

  async #open(at: number): Promise<OpenedEngineHandle> {
    const {bytes} = await this.#options.fileAt(at);
    if (this.#stopped) throw new Error('the session is closed');
    const {name, memoryMb} = this.#options;
    return openRecording(bytes, {name, memoryMb});
  }

  #release(segment: OpenSegment): void {
    segment.users -= 1;
    segment.usedAt = performance.now();
    this.#closeSurplus();
  }

  #closeSurplus(): void {
    const unused = [...this.#segments].filter(({users}) => users === 0).sort((a, b) => a.usedAt - b.usedAt);
    while (this.#segments.size > MAX_OPEN && unused.length > 0)
      void this.#close(unused.shift() as OpenSegment);
  }

  #closeIdle(): void {
    const idleSince = performance.now() - IDLE_MS;
    for (const segment of this.#segments)
      if (segment.users === 0 && segment.usedAt < idleSince) void this.#close(segment);
  }

  async #close(segment: OpenSegment): Promise<void> {
    this.#segments.delete(segment);
    try {
      await (await segment.engine).stop();
    } catch {
      // It never opened.
    }
  }
}
