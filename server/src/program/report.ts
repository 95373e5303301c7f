// The one line that shows a krt engine in krtscope.

import type {Engine} from '../krt/index.ts';
import {Program, type ProgramOptions} from '../runtime/report/program.ts';
import {EngineReporter} from './engine-reporter.ts';

/**
 * Reports an engine to krtscope, as long as one listens: the one KRTSCOPE_URL names, or the newest on this machine;
 * KRTSCOPE_URL=off reports to nobody. Never keeps the program alive or waits for anything; `end` stops it.
 */
export function reportEngine(engine: Engine, options?: ProgramOptions): Program {
  const program = new Program(options);
  program.add(new EngineReporter(engine));
  return program;
}
