// The thread that compiles, so that no text holds up main. compile-thread.ts starts it.
import {parentPort} from 'node:worker_threads';
import type {ParamValues} from '@krtscope/shared/formulas.ts';
import {type CodeProblem, FormulaError} from './code-problem.ts';
import {type CompiledFormulaCode, compileFormulaCode} from './formula-code.ts';
import {HelperFile} from './helper-file.ts';
import {type CompiledModuleFile, compileModuleFile} from './module-file.ts';
import {StripperBroken, stripExpression, stripModule} from './strip-types.ts';

export type CompileJob =
  | {job: 'formula'; code: string; values?: ParamValues | undefined; helpers?: string | undefined}
  | {job: 'helpers'; code: string}
  | {job: 'module-file'; path: string; code: string}
  | {job: 'strip'; code: string}
  | {job: 'strip-module'; code: string};

export interface CompileResults {
  formula: CompiledFormulaCode;
  'module-file': CompiledModuleFile;
  /** The exported names. */
  helpers: string[];
  strip: string;
  'strip-module': string;
}

/** `broken` asks for another thread. */
export type FromCompileThread =
  | {ready: true}
  | {result: CompileResults[keyof CompileResults]}
  | {problems: CodeProblem[]; broken?: boolean}
  | {fault: string};

/** A reader fixes the first ones first. */
const MAX_PROBLEMS = 20;
const TOO_DEEP: CodeProblem = {line: 1, column: 1, message: 'the code is nested too deeply; split it up'};

// Node warns that its stripper may change. krtscope pins its Node version.
process.emitWarning = () => {};

parentPort?.on('message', (job: CompileJob) => send(answer(job)));
send({ready: true});

function send(message: FromCompileThread): void {
  parentPort?.postMessage(message);
}

function answer(job: CompileJob): FromCompileThread {
  try {
    return {result: run(job)};
  } catch (error) {
    if (error instanceof FormulaError) return {problems: firstProblems(error.problems)};
    if (error instanceof StripperBroken) return {problems: [TOO_DEEP], broken: true};
    if (error instanceof RangeError) return {problems: [TOO_DEEP]};
    return {fault: (error as Error).message};
  }
}

function run(job: CompileJob): CompileResults[keyof CompileResults] {
  switch (job.job) {
    case 'formula':
      return compileFormulaCode(job.code, job.values, job.helpers);
    case 'helpers':
      return new HelperFile(job.code).exports;
    case 'module-file':
      return compileModuleFile(job.path, job.code);
    case 'strip':
      return stripExpression(job.code);
    case 'strip-module':
      return stripModule(job.code);
  }
}

function firstProblems(problems: readonly CodeProblem[]): CodeProblem[] {
  const next = problems[MAX_PROBLEMS];
  if (next === undefined) return [...problems];
  const more = (problems.length - MAX_PROBLEMS).toLocaleString('en-US');
  return [...problems.slice(0, MAX_PROBLEMS), {...next, message: `and ${more} more`}];
}
