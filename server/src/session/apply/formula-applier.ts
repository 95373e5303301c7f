// Applies the rows of formulas with `spec.apply`: one apply controller for each.
// Applied objects stay when the controller stops.
import type {FormulaObject} from '../../cluster/formulas/resource.ts';
import type {LabRowSource} from '../../engine/supervisor/lab-process.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import {type Applied, applyController} from '../../runtime/apply/apply-controller.ts';
import {silentLogger} from '../../runtime/log/logger.ts';
import {createManager} from '../../runtime/manager/create-manager.ts';
import {kind} from '../../runtime/scheme/kind.ts';
import {EngineRows} from './engine-rows.ts';

export interface FormulaApplierOptions {
  transport: Wire;
  rows: LabRowSource;
  log(problem: string): void;
}

type FormulaObjectSpec = FormulaObject['spec'];
type ApplySettings = NonNullable<FormulaObjectSpec['apply']>;

interface RunningApply {
  /** The settings it was started with. */
  readonly signature: string;
  readonly applied: Map<string, Applied>;
  stop(): void;
}

export class FormulaApplier {
  readonly #options: FormulaApplierOptions;
  readonly #running = new Map<string, RunningApply>();

  constructor(options: FormulaApplierOptions) {
    this.#options = options;
  }

  /** Starts, changes or stops the apply controller of an object; `wish` undefined stops it. */
  setApply(key: string, collection: string, settings: ApplySettings | undefined): void {
    const signature = settings && JSON.stringify([collection, settings]);
    const running = this.#running.get(key);
    if (running?.signature === signature) return;
    running?.stop();
    this.#running.delete(key);
    if (settings && signature) this.#running.set(key, this.#begin(signature, collection, settings));
  }

  /** The state of each object, sorted by key. */
  applied(key: string): Applied[] {
    return [...(this.#running.get(key)?.applied.values() ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  stop(): void {
    for (const {stop} of this.#running.values()) stop();
    this.#running.clear();
  }

  #begin(signature: string, collection: string, settings: ApplySettings): RunningApply {
    const end = new AbortController();
    const applied = new Map<string, Applied>();
    this.#run(collection, settings, applied, end.signal).catch(error =>
      this.#options.log(`the rows of ${collection} are no longer applied: ${(error as Error).message}`),
    );
    return {signature: signature, applied, stop: () => end.abort()};
  }

  async #run(
    collection: string,
    settings: ApplySettings,
    applied: Map<string, Applied>,
    signal: AbortSignal,
  ): Promise<void> {
    const {transport, rows} = this.#options;
    const manager = await createManager({
      transport,
      log: silentLogger,
      metrics: {bindAddress: '0'},
      gracefulShutdownTimeout: 0,
      report: false,
    });
    const desired = new EngineRows(collection, rows);
    await applyController(manager, {
      name: `krtscope-${collection}`,
      desired,
      kinds: settings.kinds.map(parseKindName),
      enabled: settings.mode === 'Apply',
      force: settings.force === true,
      refuse: refuseRow,
      status: {
        conditionalUpdateObject: row => applied.set(row.key, row),
        deleteObject: key => applied.delete(key),
      },
    });
    void desired.follow(signal);
    await manager.start(signal);
  }
}

/** Parses `v1/ConfigMap`, `apps/v1/Deployment`. */
function parseKindName(text: string) {
  const slash = text.lastIndexOf('/');
  return kind(text.slice(0, slash), text.slice(slash + 1));
}

/** A row that was computed from a redacted secret must not overwrite the real one. */
function refuseRow(row: KubeObject): string | undefined {
  if (typeof row?.metadata?.name !== 'string' || !row.apiVersion || !row.kind)
    return 'a row to apply needs apiVersion, kind and metadata.name';
  return /redacted:[0-9a-f]{8}/.test(JSON.stringify(row))
    ? 'it contains a redacted secret; start krtscope with --show-secrets to apply it'
    : undefined;
}
