// Applies the events of a watch to the sink. Skips repeated and unexpected events, and moves the watch's position.

import {ConnectionError, errorOfStatus} from '../error.ts';
import {isRecord, isStatus, type KubeObject, keyOf, kindWords, type WatchEvent} from '../object.ts';
import type {ReflectorOptions, ReflectorSink} from './reflector-sink.ts';
import type {WatchPosition} from './watch-position.ts';

export interface EventApplierOptions<Entry> extends Pick<ReflectorOptions, 'resource' | 'as'> {
  sink: ReflectorSink<Entry>;
  position: WatchPosition;
  /** Called with the key of every object that an event is about. */
  onEvent(key: string): void;
}

export class EventApplier<Entry> {
  readonly #options: EventApplierOptions<Entry>;

  constructor(options: EventApplierOptions<Entry>) {
    this.#options = options;
  }

  /**
   * `heard`: the batch has a valid event, so the watch works. `failure`: the error that ends the watch. A watch without
   * a start version begins with existing objects; `recording` becomes true when events move the position.
   */
  apply(batch: readonly WatchEvent[], watch: {recording: boolean}): {heard: boolean; failure: unknown} {
    const {sink, position, onEvent} = this.#options;
    const changes: {gone: boolean; entry: Entry}[] = [];
    let failure: unknown;
    let heard = false;
    for (const {type, object} of batch) {
      if (type === 'ERROR') {
        failure = isStatus(object)
          ? errorOfStatus(object)
          : new ConnectionError('other', 'decode', 'an ERROR event without a Status');
        break;
      }
      if (isStatus(object) || !this.#isExpected(object)) continue;
      heard = true;
      const version = object.metadata?.resourceVersion ?? '';
      if (type === 'BOOKMARK') {
        if (version) position.version = version;
        continue;
      }
      const gone = type === 'DELETED';
      const key = keyOf(object);
      if (position.repeats(version, `${gone} ${key} ${object.metadata.uid}`)) {
        // The sink compares the content of a version that it holds.
        if (changes.length) sink.apply(changes.splice(0));
        if (gone || !sink.holds(object)) continue;
      }
      onEvent(key);
      changes.push({gone, entry: sink.prepare(object)});
      watch.recording ||= type !== 'ADDED';
      if (watch.recording && version) position.version = version;
    }
    if (changes.length) sink.apply(changes);
    if (heard) sink.onProgress?.();
    return {heard, failure};
  }

  #isExpected(object: KubeObject): boolean {
    const {resource, as, sink} = this.#options;
    const {kind} = resource;
    if (!isRecord(object.metadata)) {
      sink.onProblem(`the watch of ${kind} sent an object without metadata; it was skipped`);
      return false;
    }
    if (object.kind === undefined || object.kind === kind) return true;
    if (as === 'metadata' && object.kind === 'PartialObjectMetadata') return true;
    sink.onProblem(`the watch of ${kind} sent ${kindWords(object.kind)}; it was skipped`);
    return false;
  }
}
