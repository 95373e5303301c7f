// A formula that the engine can run, evaluated in its own compartment.
import type {CompiledFormula, CompiledFormulaKind} from '../compile/formula-compiler.ts';
import {scopeWords} from '../compile/scope-names.ts';
import {evaluateFormula} from './compartment.ts';
import {failureOf} from './formula-failure.ts';
import {FormulaRunner, type FormulaRunnerOptions, throwFuelSpent} from './formula-runner.ts';
import {createScope, type FormulaEnvironment} from './formula-scope.ts';

export interface SandboxedFormulaSpec {
  name: string;
  kind: CompiledFormulaKind;
  compiled: CompiledFormula;
}

export class SandboxedFormula extends FormulaRunner {
  readonly spec: SandboxedFormulaSpec;

  /** Throws FormulaFailure if the text cannot be evaluated. */
  constructor(
    spec: SandboxedFormulaSpec,
    environment: FormulaEnvironment,
    options: FormulaRunnerOptions = {},
  ) {
    const {compiled, kind, name} = spec;
    const url = `formula-${compiled.hash}-${name.replace(/[^\w$]/g, '_')}`;
    super({name, kind, url}, options);
    this.spec = spec;
    const {words, collections, clock} = createScope(compiled, environment, {
      guard: test => this.guardTest(test),
      fetchOne: (from, filter) => this.fetchOne(from, [filter]),
    });
    this.clock = clock;
    try {
      const given = {words, collections, out: throwFuelSpent};
      this.begin(evaluateFormula(compiled.text, scopeWords, compiled.bare, given, url), compiled.text);
    } catch (error) {
      throw failureOf(error, url);
    }
  }
}
