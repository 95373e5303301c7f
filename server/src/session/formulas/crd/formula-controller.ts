// The controller of formulas.krtscope.dev, on our own runtime: hands what is in the cluster to the keeper, and writes
// into each object's status what became of it.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {Formula, type FormulaObject} from '../../../cluster/formulas/resource.ts';
import type {LabRowSource} from '../../../engine/supervisor/lab-process.ts';
import {sleep, systemClock} from '../../../kube/clock.ts';
import {Discovery} from '../../../kube/discovery/discovery.ts';
import type {Wire} from '../../../kube/transport/transport.ts';
import {ignoreNotFound} from '../../../runtime/client/error-checks.ts';
import {mergeFrom} from '../../../runtime/client/patch.ts';
import {controllerFor} from '../../../runtime/controller/controller-builder.ts';
import {generationChanged} from '../../../runtime/controller/predicate.ts';
import type {Request} from '../../../runtime/controller/request.ts';
import {makeLogger} from '../../../runtime/log/logger.ts';
import {createManager} from '../../../runtime/manager/create-manager.ts';
import {FormulaApplier} from '../../apply/formula-applier.ts';
import type {SavedFormulaService} from '../saved-formula-service.ts';
import type {ClusterStore} from '../stores/cluster-store.ts';
import {type FormulaAcceptance, statusOf} from './formula-status.ts';

export interface FormulaControllerOptions {
  transport: Wire;
  service: SavedFormulaService;
  store: ClusterStore;
  namespaces: readonly string[];
  /** The rows of the session's collections, for formulas that are applied. */
  rows: LabRowSource;
  /** Whether anything may be written: the status, and what formulas are told to apply. */
  mayWrite: boolean;
  log(problem: string): void;
  signal: AbortSignal;
}

/** How often counts are written anew, where they changed. */
const AGAIN_MS = 3000;
/** How often a cluster without the CRD is asked for it. */
const LOOK_MS = 3000;

/** Runs until the signal aborts. A cluster without the CRD is waited for. */
export async function runFormulaController(options: FormulaControllerOptions): Promise<void> {
  const {transport, namespaces, log, signal} = options;
  if (!(await waitForDefinition(options))) return;
  const manager = await createManager({
    transport,
    log: makeLogger(({level, message, fields}) => {
      const {error, name = ''} = fields;
      if (level === 'error') log(`formulas ${String(name)}: ${message}: ${String(error)}`);
    }),
    metrics: {bindAddress: '0'},
    client: {fieldOwner: 'krtscope'},
    cache:
      namespaces.length === 0 ? {} : {namespaces: Object.fromEntries(namespaces.map(name => [name, {}]))},
    gracefulShutdownTimeout: 0,
    report: false,
  });
  const {client} = manager;
  const apply = new FormulaApplier({transport, rows: options.rows, log});
  signal.addEventListener('abort', () => apply.stop(), {once: true});
  controllerFor(manager)
    .for(Formula, {predicates: [generationChanged()]})
    .complete(async (request: Request) => {
      const object = await ignoreNotFound(client.get(Formula, request));
      const key = `${request.namespace}/${request.name}`;
      options.store.claim(key, object);
      if (!object || object.metadata.deletionTimestamp) {
        apply.setApply(key, '', undefined);
        return undefined;
      }
      // Claimed again now and then: a file that had the name may have gone.
      if (!options.mayWrite) return {requeueAfter: AGAIN_MS};
      const standing = await acceptanceOf(options, key, object);
      apply.setApply(key, object.spec.name, 'formula' in standing ? object.spec.apply : undefined);
      const status = statusOf(object, standing, apply.applied(key), timestamp());
      if (!deepEqual(status, object.status)) {
        const changed = deepCopy(object);
        changed.status = status;
        await ignoreNotFound(client.status().patch(changed, mergeFrom(object)));
      }
      return {requeueAfter: AGAIN_MS};
    });
  await manager.start(signal);
}

async function acceptanceOf(
  {service: keeper, store}: FormulaControllerOptions,
  key: string,
  {spec}: FormulaObject,
): Promise<FormulaAcceptance> {
  const {name} = spec;
  if (spec.suspend === true) return {reason: 'Suspended', message: 'spec.suspend is true'};
  const winner = store.winner(name);
  if (winner !== key)
    return {reason: 'NameTaken', message: `Formula ${winner} has the name ${name} and is older`};
  const kept = await keeper.storeOf(name);
  if (kept === undefined) return {reason: 'NotRead', message: `${name} has not been read yet`};
  if (kept !== store)
    return {reason: 'KeptInFile', message: `the file ${kept.place(name)} has the name ${name}; it wins`};
  return {formula: await keeper.get(name)};
}

/** False when the signal aborted first. */
async function waitForDefinition({transport, log, signal}: FormulaControllerOptions): Promise<boolean> {
  const discovery = new Discovery(transport);
  let told = false;
  while (!signal.aborted) {
    discovery.forget();
    const found = await discovery.find({group: 'krtscope.dev', plural: 'formulas'}).catch(() => undefined);
    if (found) return true;
    await sleep(systemClock, told ? LOOK_MS : LOOK_MS / 3, signal);
    if (!told && !signal.aborted)
      log('formulas.krtscope.dev is not installed; krtscope crd | kubectl apply -f - installs it');
    told = true;
  }
  return false;
}

function timestamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
