// A formula that the engine can run, evaluated in its own compartment.
import type {CompiledFormula, CompiledFormulaKind} from '../compile/formula-compiler.ts';
import {HELPER_FILE} from '../compile/helper-name.ts';
import {scopeWords} from '../compile/scope-names.ts';
import {evaluateFormula} from './compartment.ts';
import {callerPlace, FormulaFailure, failureOf} from './formula-failure.ts';
import {FormulaRunner, type FormulaRunnerOptions, throwFuelSpent} from './formula-runner.ts';
import {createScope, type FormulaEnvironment} from './formula-scope.ts';

export interface SandboxedFormulaSpec {
  name: string;
  kind: CompiledFormulaKind;
  compiled: CompiledFormula;
}

export class SandboxedFormula extends FormulaRunner {
  readonly spec: SandboxedFormulaSpec;
  readonly #url: string;

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
    this.#url = url;
    const {words, collections, clock} = createScope(compiled, environment, {
      guard: test => this.guardTest(test),
      fetchOne: (from, filter) => this.fetchOne(from, [filter]),
    });
    this.clock = clock;
    try {
      const given = {words, collections, out: throwFuelSpent};
      const {text, bare, helpers} = compiled;
      const evaluated = evaluateFormula(text, scopeWords, bare, given, url, helpers);
      this.begin(evaluated, `${text}\n${helpers?.text ?? ''}`);
    } catch (error) {
      throw failureOf(error, url);
    }
  }

  /** An error inside a helper names the helper's line, and has the line of the formula that called it. */
  protected override failure(error: unknown): FormulaFailure {
    const found = failureOf(error, this.#url);
    const {helpers, text} = this.spec.compiled;
    const lines = text.split('\n').length;
    if (helpers === undefined || found.line === undefined || found.line <= lines) return found;
    const [line, column] = callerPlace(error, this.#url, lines) ?? [];
    return new FormulaFailure(`${found.sentence} (${HELPER_FILE}:${found.line - lines})`, line, column);
  }
}
