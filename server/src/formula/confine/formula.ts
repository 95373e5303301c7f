// A formula that can run: evaluated in its compartment, in the scope of its names. What the engine calls.
import type {Compiled, FormulaKind} from '../compile/compile.ts';
import {scopeWords} from '../compile/words.ts';
import {evaluate} from './compartment.ts';
import {failureOf} from './failure.ts';
import {type FormulaOptions, Runner, spent} from './runner.ts';
import {type Surroundings, scopeOf} from './scope.ts';

export interface FormulaSpec {
  name: string;
  kind: FormulaKind;
  compiled: Compiled;
}

export class Formula extends Runner {
  readonly spec: FormulaSpec;

  /** Throws FormulaFailure if the text cannot be evaluated. */
  constructor(spec: FormulaSpec, around: Surroundings, options: FormulaOptions = {}) {
    const {compiled, kind, name} = spec;
    const url = `formula-${compiled.hash}-${name.replace(/[^\w$]/g, '_')}`;
    super({name, kind, url}, options);
    this.spec = spec;
    const {words, collections} = scopeOf(compiled.names, compiled.bare, around, test => this.guarded(test));
    try {
      const given = {words, collections, out: spent};
      this.begin(evaluate(compiled.text, scopeWords, compiled.bare, given, url), compiled.text);
    } catch (error) {
      throw failureOf(error, url);
    }
  }
}
