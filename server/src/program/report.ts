// Reports a krt engine to krtscope with one call.

import type {Engine} from '../krt/index.ts';
import {Program, type ProgramOptions} from '../runtime/report/program.ts';
import {EngineReporter} from './engine-reporter.ts';

/**
 * Reports an engine to a running krtscope: the one in KRTSCOPE_URL, or the newest on this machine.
 * KRTSCOPE_URL=off turns it off. Never keeps the program alive and never waits. `end` stops it.
 */
export function reportEngine(engine: Engine, options?: ProgramOptions): Program {
  const program = new Program(options);
  program.add(new EngineReporter(engine));
  return program;
}
