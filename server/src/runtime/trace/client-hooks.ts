// Reports the reads and writes of a client to the tracer, during a run and while a tracer listens.

import type {ClientHooks} from '../client/client.ts';
import {errorText} from '../log/error-text.ts';
import {currentRun} from './current-run.ts';
import type {TracerSlot} from './tracer.ts';

export function clientHooks(place: TracerSlot, cache: Pick<ClientHooks, 'peek'>): ClientHooks {
  return {
    peek: (kind, key) => cache.peek?.(kind, key),
    listening: () => place.current !== undefined,
    onRead(read) {
      const current = currentRun.getStore();
      if (!current) return;
      const {verb, kind, from, namespace, name, count, took, stale, error} = read;
      place.current?.onRead(current.controller, current.run, {
        verb,
        kind: kind.kind,
        from,
        namespace,
        name,
        count,
        took,
        stale,
        error: error === undefined ? undefined : errorText(error),
      });
    },
    onWrite(write) {
      const current = currentRun.getStore();
      if (!current) return;
      const {verb, kind, namespace, name, subresource, dryRun, took, sent, before, result, error} = write;
      place.current?.onWrite(current.controller, current.run, {
        verb,
        kind: kind.kind,
        namespace,
        name,
        subresource,
        dryRun,
        took,
        sent,
        before,
        after: result,
        error: error === undefined ? undefined : errorText(error),
      });
    },
  };
}
