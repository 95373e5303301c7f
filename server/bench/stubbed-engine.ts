// A second copy of the engine whose recording calls are compiled out: what tracing costs while nobody listens.
// Loaded by rewriting the engine's own files on the way in, so that it can never be an older or another engine.
import {registerHooks} from 'node:module';
import type {Krt} from './krt-engine.ts';

const MARK = '?without-recording';
/** Fewer rewrites than this would mean that the engine's code has a new shape and nothing is stubbed any more. */
const EXPECTED = 15;

function withoutRecording(source: string): {text: string; places: number} {
  let places = 0;
  const count = (by: string) => () => {
    places++;
    return by;
  };
  const text = source
    .replace(/const recorder = [^;]+;/g, count('const recorder = null;'))
    .replace(/(?:[\w#]+\.)*recorder !== null/g, count('false'))
    .replace(/(?:[\w#]+\.)*recorder === null/g, count('true'))
    .replace(/(?:[\w#]+\.)+recorder\?\./g, count('null?.'));
  return {text, places};
}

export async function stubbedEngine(): Promise<Krt> {
  let places = 0;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const inside = context.parentURL?.endsWith(MARK) === true && specifier.startsWith('.');
      return inside ? {...resolved, url: resolved.url + MARK} : resolved;
    },
    load(url, context, next) {
      if (!url.endsWith(MARK)) return next(url, context);
      const loaded = next(url.slice(0, -MARK.length), context);
      if (url.includes('/recorder.ts')) return loaded;
      const stubbed = withoutRecording(String(loaded.source));
      places += stubbed.places;
      return {...loaded, source: stubbed.text};
    },
  });
  try {
    const module = (await import(new URL(`../src/krt/index.ts${MARK}`, import.meta.url).href)) as Krt;
    if (places < EXPECTED)
      throw new Error(`only ${places} recording calls found to stub: adapt stubbed-engine.ts`);
    return module;
  } finally {
    hooks.deregister();
  }
}
