// One compartment for each formula: JavaScript without its impure and unbounded parts, and a global object
// without state.
import 'ses';
import {languageNames} from '../compile/scope-names.ts';

/** The evaluated text. `fuel` falls while the formula runs and stays below zero once it is spent. */
export interface EvaluatedFormula extends FuelMeter {
  readonly formula: (ctx: unknown, item: unknown) => unknown;
  readonly helpers?: readonly unknown[];
}

export interface FuelMeter {
  fuel(): number;
  refuel(amount: number): void;
  /** The line of the last fetch. */
  line(): number;
}

export interface CompartmentGlobals {
  words: object;
  collections: object;
  /** Throws. */
  out(): never;
}

const joinNames = (names: readonly string[]) => names.join(', ');

/** Evaluates the text of a compiled formula. `url` names its frames in stack traces. */
export function evaluateFormula(
  text: string,
  scopeNames: readonly string[],
  collectionNames: readonly string[],
  given: CompartmentGlobals,
  url: string,
  helpers?: {readonly text: string; readonly names: readonly string[]},
): EvaluatedFormula {
  // Keep this on one line: lines in a stack are then off by exactly one.
  const head = [
    '($krt => {',
    'let $krtFuel = 0, $krtLine = 0;',
    'const $krtOut = $krt.out, $krtAt = (value, line) => { $krtLine = line; return value; };',
    `const {${joinNames(scopeNames)}} = $krt.words;`,
    `const {${joinNames(collectionNames)}} = $krt.collections;`,
    'const $krtFormula =',
  ].join(' ');
  const tail = [
    // The helpers come after the code, so that its lines stay where they are. It runs only after both are there.
    ...(helpers === undefined ? [] : [`;${helpers.text}\n`]),
    `; return {formula: $krtFormula, fuel: () => $krtFuel, helpers: [${joinNames(helpers?.names ?? [])}],`,
    'refuel: amount => { $krtFuel = amount; }, line: () => $krtLine};',
    `})\n//# sourceURL=${url}`,
  ].join(' ');
  const make = createCompartment().evaluate(`${head}\n${text}\n${tail}`) as (
    given: CompartmentGlobals,
  ) => EvaluatedFormula;
  const evaluated = make(given);
  // A function is an object too. A named one could store state on itself.
  harden(evaluated.formula);
  harden(evaluated.helpers);
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
