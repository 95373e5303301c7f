// A new revision of a graph module is tried in the lab process before it goes live: built there, and run over the rows
// that it reads. What it would do to the engine process, it does there.
import type {InstallableModule} from '../../../engine/link/commands.ts';
import {EngineFailure} from '../../../engine/link/engine-link.ts';
import {DraftStopped, type LabProcess} from '../../../engine/supervisor/lab-process.ts';
import type {CompiledModule} from '../../../formula/compile/module-compiler.ts';

export interface ModuleTrial {
  readonly sources: Record<string, string>;
  /** Absent: it may go live. `quarantined`: it ended the lab process. */
  readonly trouble?: InstallableModule['trouble'];
  /** It needs what is not there yet, and shall be tried again then. */
  readonly waits?: boolean;
}

/** Rounds in which a module may ask for one more thing. */
const MAX_ROUNDS = 250;

/** `addSource` resolves with the collection's name. Rejects with EngineFailure while nothing can be tried. */
export async function runModuleTrial(
  lab: LabProcess,
  name: string,
  compiled: CompiledModule,
  addSource: (resource: string) => Promise<string>,
): Promise<ModuleTrial> {
  const sources: Record<string, string> = {};
  let brought: string[] = [];
  const failing = (message: string, waits = false): ModuleTrial => ({
    sources,
    trouble: {state: 'failing', error: {message}},
    waits,
  });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      const {needs, error} = await lab.tryModule({name, compiled, sources: {...sources}, brought});
      if (error !== undefined) return failing(error);
      if (needs === undefined) return {sources};
      brought = [...new Set([...brought, ...needs.collections])];
      if (needs.resource === undefined) continue;
      const added = await addSource(needs.resource).catch((reason: Error) => reason);
      if (added instanceof Error) return failing(`waits for ${needs.resource}: ${added.message}`, true);
      sources[needs.resource] = added;
    } catch (error) {
      if (error instanceof DraftStopped) {
        const {message, input} = error;
        const where = input === undefined || input === name ? 'while it was built' : `in ${input}`;
        const words = `the module was ended ${where}: ${message}`;
        return {sources, trouble: {state: 'quarantined', error: {message: words}}};
      }
      const unknown = error instanceof EngineFailure && error.code === 'unknown-collection';
      if (!unknown) throw error;
      const missing = brought.find(one => error.message.includes(`"${one}"`)) ?? brought.at(-1);
      return failing(`waits for ${missing}`, true);
    }
  }
  return failing('it asks for something else each time it is built');
}
