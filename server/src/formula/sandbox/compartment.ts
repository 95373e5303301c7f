// One compartment a formula: the language without what is impure or unbounded, and a global object that keeps nothing.
import 'ses';
import {languageNames} from '../compile/scope-names.ts';

/** What the evaluated text gives back. `fuel` goes down while the formula runs and stays spent once it is. */
export interface EvaluatedFormula extends FuelMeter {
  readonly formula: (ctx: unknown, item: unknown) => unknown;
}

export interface FuelMeter {
  fuel(): number;
  refuel(amount: number): void;
  /** The line of the last fetch that was called. */
  line(): number;
}

export interface CompartmentGlobals {
  words: object;
  collections: object;
  /** Throws. */
  out(): never;
}

const joinNames = (names: readonly string[]) => names.join(', ');

/** Evaluates the text of a compiled formula. `url` is what its frames are called in a stack. */
export function evaluateFormula(
  text: string,
  scopeNames: readonly string[],
  collectionNames: readonly string[],
  given: CompartmentGlobals,
  url: string,
): EvaluatedFormula {
  // All on one line: lines in a stack are then off by exactly one.
  const head = [
    '($krt => {',
    'let $krtFuel = 0, $krtLine = 0;',
    'const $krtOut = $krt.out, $krtAt = (value, line) => { $krtLine = line; return value; };',
    `const {${joinNames(scopeNames)}} = $krt.words;`,
    `const {${joinNames(collectionNames)}} = $krt.collections;`,
    'const $krtFormula =',
  ].join(' ');
  const tail = [
    '; return {formula: $krtFormula, fuel: () => $krtFuel,',
    'refuel: amount => { $krtFuel = amount; }, line: () => $krtLine};',
    `})\n//# sourceURL=${url}`,
  ].join(' ');
  const make = createCompartment().evaluate(`${head}\n${text}\n${tail}`) as (
    given: CompartmentGlobals,
  ) => EvaluatedFormula;
  const evaluated = make(given);
  // A function is an object too: one with a name could keep state on itself.
  harden(evaluated.formula);
  return Object.freeze(evaluated);
}

export function createCompartment(): Compartment {
  const compartment = new Compartment({__options__: true, globals: {}} as never);
  const own = compartment.globalThis;
  for (const name of Object.getOwnPropertyNames(own)) {
    if (!languageNames.has(name)) Reflect.deleteProperty(own, name);
  }
  harden(own);
  return compartment;
}
