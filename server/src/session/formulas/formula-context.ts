// What the formulas and modules of a session stand on.
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import type {LabProcess} from '../../engine/supervisor/lab-process.ts';
import type {Quarantine} from './quarantine.ts';

export interface FormulaContext {
  readonly engine: EngineHandle;
  readonly lab: LabProcess;
  readonly quarantine: Quarantine;
  /** Resolves also when it is a source already. */
  addSource(resource: string): Promise<void>;
  log(problem: string): void;
}
