// The controller of formulas.krtscope.dev. Passes the objects to the formula service and writes their status.

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
  /** The rows of the session's collections, for formulas with `spec.apply`. */
  rows: LabRowSource;
  /** Whether it may write the status and the objects of `spec.apply`. */
  mayWrite: boolean;
  log(problem: string): void;
  signal: AbortSignal;
}

/** Interval between status updates. */
const STATUS_MS = 3000;
/** Interval between checks for the CRD. */
const CRD_CHECK_MS = 3000;

/** Runs until the signal aborts. Waits for a cluster without the CRD. */
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
      // Claim again from time to time: a file of the same name may be gone.
      if (!options.mayWrite) return {requeueAfter: STATUS_MS};
      const acceptance = await acceptanceOf(options, key, object);
      apply.setApply(key, object.spec.name, 'formula' in acceptance ? object.spec.apply : undefined);
      const status = statusOf(object, acceptance, apply.applied(key), timestamp());
      if (!deepEqual(status, object.status)) {
        const changed = deepCopy(object);
        changed.status = status;
        await ignoreNotFound(client.status().patch(changed, mergeFrom(object)));
      }
      return {requeueAfter: STATUS_MS};
    });
  await manager.start(signal);
}

async function acceptanceOf(
  {service, store}: FormulaControllerOptions,
  key: string,
  {spec}: FormulaObject,
): Promise<FormulaAcceptance> {
  const {name} = spec;
  if (spec.suspend === true) return {reason: 'Suspended', message: 'spec.suspend is true'};
  const problem = await service.nameProblem(name);
  if (problem !== undefined) return {reason: 'NameTaken', message: problem};
  const winner = store.winner(name);
  if (winner !== key)
    return {reason: 'NameTaken', message: `Formula ${winner} has the name ${name} and is older`};
  const owner = await service.storeOf(name);
  if (owner === undefined) return {reason: 'NotRead', message: `${name} has not been read yet`};
  if (owner !== store)
    return {
      reason: 'KeptInFile',
      message: `a file in the --graph folder has the name ${name}, and files win`,
    };
  return {formula: await service.get(name)};
}

/** Returns false if the signal aborts first. */
async function waitForDefinition({transport, log, signal}: FormulaControllerOptions): Promise<boolean> {
  const discovery = new Discovery(transport);
  let logged = false;
  while (!signal.aborted) {
    discovery.forget();
    const found = await discovery.find({group: 'krtscope.dev', plural: 'formulas'}).catch(() => undefined);
    if (found) return true;
    await sleep(systemClock, logged ? CRD_CHECK_MS : CRD_CHECK_MS / 3, signal);
    if (!logged && !signal.aborted)
      log('formulas.krtscope.dev is not installed; krtscope crd | kubectl apply -f - installs it');
    logged = true;
  }
  return false;
}

function timestamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
