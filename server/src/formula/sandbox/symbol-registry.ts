// Limits Symbol.for: what it registers stays in memory until the process ends. Import this before the lockdown.

/** Libraries register a few dozen short names. */
const MAX_NAMES = 1000;
const MAX_CHARACTERS = 100;

const registered = new Set<string>();
const original = Symbol.for;

const limitedFor = (name: unknown): symbol => {
  const text = String(name);
  if (!registered.has(text)) {
    if (text.length > MAX_CHARACTERS || registered.size >= MAX_NAMES)
      throw new RangeError(
        'Symbol.for(…) is limited: a registered symbol stays in memory for good; use Symbol(…)',
      );
    registered.add(text);
  }
  return original.call(Symbol, text);
};

/** For tests, which share a process: the limit starts again. */
export function forgetRegisteredNames(): void {
  registered.clear();
}

Object.defineProperty(Symbol, 'for', {
  value: limitedFor,
  writable: true,
  enumerable: false,
  configurable: true,
});
