// Tries a new revision of a graph module in a lab process: builds it there and runs it over its rows.
// A harmful module ends the lab process instead of the engine process.
import type {InstallableModule} from '../../../engine/link/commands.ts';
import {EngineFailure} from '../../../engine/link/engine-link.ts';
import type {LabPool} from '../../../engine/supervisor/lab-pool.ts';
import {DraftStopped} from '../../../engine/supervisor/lab-process.ts';
import type {CompiledModule} from '../../../formula/compile/module-compiler.ts';

export interface ModuleTrial {
  readonly sources: Record<string, string>;
  /** Absent if the module may go live. `quarantined` if it ended the lab process. */
  readonly trouble?: InstallableModule['trouble'];
  /** It needs something that does not exist yet. Try it again later. */
  readonly waits?: boolean;
}

/** Rounds in which a module may request another collection. */
const MAX_ROUNDS = 250;

/** `addSource` resolves with the collection's name. Rejects with EngineFailure while trials are impossible. */
export async function runModuleTrial(
  lab: LabPool,
  name: string,
  compiled: CompiledModule,
  addSource: (resource: string) => Promise<string>,
): Promise<ModuleTrial> {
  const sources: Record<string, string> = {};
  let collections: string[] = [];
  const failing = (message: string, waits = false): ModuleTrial => ({
    sources,
    trouble: {state: 'failing', error: {message}},
    waits,
  });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      const {needs, error} = await lab.tryModule({
        name,
        compiled,
        sources: {...sources},
        brought: collections,
      });
      if (error !== undefined) return failing(error);
      if (needs === undefined) return {sources};
      collections = [...new Set([...collections, ...needs.collections])];
      if (needs.resource === undefined) continue;
      const added = await addSource(needs.resource).catch((reason: Error) => reason);
      if (added instanceof Error) return failing(`waits for ${needs.resource}: ${added.message}`, true);
      sources[needs.resource] = added;
    } catch (error) {
      if (error instanceof DraftStopped) {
        const {message, input} = error;
        const where = input === undefined || input === name ? 'in build' : `in ${input}`;
        const words = `the module was stopped ${where}: ${message}`;
        return {sources, trouble: {state: 'quarantined', error: {message: words}}};
      }
      const unknown = error instanceof EngineFailure && error.code === 'unknown-collection';
      if (!unknown) throw error;
      const missing = collections.find(one => error.message.includes(`"${one}"`)) ?? collections.at(-1);
      return failing(`waits for ${missing}`, true);
    }
  }
  return failing('it requests another collection each time it is built');
}
