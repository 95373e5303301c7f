// Applies the rows of formulas that say so: one apply controller each, on our own runtime, begun when the formula asks
// for it and ended when it does no more. What it has applied stays then.
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
  /** What it was begun with. */
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

  /** Begins, changes or ends what is applied for an object; `wish` undefined ends it. */
  setApply(key: string, collection: string, wish: ApplySettings | undefined): void {
    const sign = wish && JSON.stringify([collection, wish]);
    const running = this.#running.get(key);
    if (running?.signature === sign) return;
    running?.stop();
    this.#running.delete(key);
    if (wish && sign) this.#running.set(key, this.#begin(sign, collection, wish));
  }

  /** What became of each object, in the order of their keys. */
  applied(key: string): Applied[] {
    return [...(this.#running.get(key)?.applied.values() ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  stop(): void {
    for (const {stop} of this.#running.values()) stop();
    this.#running.clear();
  }

  #begin(sign: string, collection: string, wish: ApplySettings): RunningApply {
    const end = new AbortController();
    const applied = new Map<string, Applied>();
    this.#run(collection, wish, applied, end.signal).catch(error =>
      this.#options.log(`the rows of ${collection} are not applied any more: ${(error as Error).message}`),
    );
    return {signature: sign, applied, stop: () => end.abort()};
  }

  async #run(
    collection: string,
    wish: ApplySettings,
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
      kinds: wish.kinds.map(parseKindName),
      enabled: wish.mode === 'Apply',
      force: wish.force === true,
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

/** `v1/ConfigMap`, `apps/v1/Deployment`. */
function parseKindName(text: string) {
  const slash = text.lastIndexOf('/');
  return kind(text.slice(0, slash), text.slice(slash + 1));
}

/** A row that was made of a redacted secret must not be written back in its place. */
function refuseRow(row: KubeObject): string | undefined {
  if (typeof row?.metadata?.name !== 'string' || !row.apiVersion || !row.kind)
    return 'a row to apply has apiVersion, kind and metadata.name';
  return /redacted:[0-9a-f]{8}/.test(JSON.stringify(row))
    ? 'it holds a redacted secret; krtscope --show-secrets computes with real ones'
    : undefined;
}
