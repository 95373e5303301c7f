// What the formulas and modules of a session share.
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import type {LabPool} from '../../engine/supervisor/lab-pool.ts';
import type {FormulaHelpers} from './formula-helpers.ts';
import type {GroupCollections} from './group-collections.ts';
import type {Quarantine} from './quarantine.ts';

export interface FormulaContext {
  readonly engine: EngineHandle;
  readonly lab: LabPool;
  readonly quarantine: Quarantine;
  /** Also resolves if the source exists already. */
  addSource(resource: string): Promise<void>;
  /** Provides the source that `ctx.minute()` reads. */
  startClock(): Promise<void>;
  readonly groups: GroupCollections;
  readonly helpers: Pick<FormulaHelpers, 'text' | 'ready' | 'watch' | 'close'>;
  log(problem: string): void;
}
