// Jobs: creates Pods until enough have succeeded or too many have failed.
import {
  at,
  type JsonObject,
  listAt,
  numberAt,
  type StoredObject,
  stringAt,
} from '../../object/stored-object.ts';
import {podFor} from './child-objects.ts';
import {Job} from './controller-kinds.ts';
import {isActive, isReady, PodController} from './pod-controller.ts';

function isFinished(job: StoredObject): boolean {
  return listAt(job, 'status', 'conditions').some(
    c => ['Complete', 'Failed'].includes(stringAt(c, 'type')) && stringAt(c, 'status') === 'True',
  );
}

export class JobController extends PodController {
  protected readonly kind = Job;

  protected async settle(job: StoredObject): Promise<void> {
    if (job.metadata.deletionTimestamp || isFinished(job)) return;
    const suspended = at(job, 'spec', 'suspend') === true;
    const pods = await this.pods(job);
    if (suspended) for (const pod of pods.filter(isActive)) await this.deletePod(job, pod);
    else await this.#work(job, pods);
    await this.#reportProgress(job, suspended);
  }

  async #work(job: StoredObject, pods: StoredObject[]): Promise<void> {
    const wanted = at(job, 'spec', 'completions');
    const succeeded = pods.filter(pod => stringAt(pod, 'status', 'phase') === 'Succeeded').length;
    const active = pods.filter(isActive).length;
    const left =
      typeof wanted === 'number' ? wanted - succeeded : succeeded > 0 ? 0 : Number.POSITIVE_INFINITY;
    const most = Math.min(numberAt(job, 'spec', 'parallelism'), left);
    for (let i = active; i < most; i++) await this.createPod(job, podFor(job));
  }

  async #reportProgress(job: StoredObject, suspended: boolean): Promise<void> {
    const {namespace, name} = job.metadata;
    const latest = (await this.control.find(Job, {namespace, name})) ?? job;
    const pods = await this.pods(latest);
    const time = this.control.timestamp();
    const phase = (wanted: string) => pods.filter(pod => stringAt(pod, 'status', 'phase') === wanted).length;
    const [succeeded, failed] = [phase('Succeeded'), phase('Failed')];
    const active = pods.filter(isActive);
    const wanted = at(latest, 'spec', 'completions');
    const enough = typeof wanted === 'number' ? succeeded >= wanted : succeeded > 0 && active.length === 0;
    const status: JsonObject = {
      startTime: suspended ? undefined : stringAt(latest, 'status', 'startTime') || time,
      ...(active.length > 0 && {active: active.length}),
      ...(succeeded > 0 && {succeeded}),
      ...(failed > 0 && {failed}),
      terminating: 0,
      ready: active.filter(isReady).length,
      uncountedTerminatedPods: {},
    };
    const condition = (type: string, reason: string, message: string) => ({
      type,
      status: 'True',
      lastProbeTime: time,
      lastTransitionTime: time,
      reason,
      message,
    });
    if (enough && !suspended) {
      const message = 'Reached expected number of succeeded pods';
      status.conditions = [
        condition('SuccessCriteriaMet', 'CompletionsReached', message),
        condition('Complete', 'CompletionsReached', message),
      ];
      status.completionTime = time;
      this.control.events.event(latest, 'Normal', 'Completed', 'Job completed');
    } else if (failed > numberAt(latest, 'spec', 'backoffLimit')) {
      const message = 'Job has reached the specified backoff limit';
      status.conditions = [
        condition('FailureTarget', 'BackoffLimitExceeded', message),
        condition('Failed', 'BackoffLimitExceeded', message),
      ];
      this.control.events.event(latest, 'Warning', 'BackoffLimitExceeded', message);
    } else if (suspended) {
      const old = listAt(latest, 'status', 'conditions');
      status.conditions = old.length > 0 ? old : [condition('Suspended', 'JobSuspended', 'Job suspended')];
      if (old.length === 0) this.control.events.event(latest, 'Normal', 'Suspended', 'Job suspended');
    }
    await this.control.updateStatus(latest, status);
  }
}
