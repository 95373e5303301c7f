// What the formulas and modules of a session stand on.
import type {Engine} from '../../engine/link/link.ts';
import type {Lab} from '../../engine/supervisor/lab.ts';
import type {Quarantine} from './quarantine.ts';

export interface FormulaContext {
  readonly engine: Engine;
  readonly lab: Lab;
  readonly quarantine: Quarantine;
  /** Resolves also when it is a source already. */
  addSource(resource: string): Promise<void>;
  log(problem: string): void;
}
