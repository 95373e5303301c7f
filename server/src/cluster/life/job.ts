// Jobs: Pods until enough have succeeded or too many have failed.
import {equal} from '../object/copy.ts';
import {at, isObject, type JsonObject, type KubeObject, listAt, numberAt, stringAt} from '../object/types.ts';
import {type Client, JOBS, PODS} from './client.ts';
import {type Controller, keyFor, splitKey} from './controller.ts';
import {controllerOf, podFor} from './offspring.ts';
import type {Owned} from './owned.ts';
import {isActive, isReady, ownerKey} from './replica-set.ts';

function finished(job: KubeObject): boolean {
  return listAt(job, 'status', 'conditions').some(
    c => ['Complete', 'Failed'].includes(stringAt(c, 'type')) && stringAt(c, 'status') === 'True',
  );
}

export class JobController implements Controller {
  readonly name = 'job-controller';
  readonly #client: Client;
  readonly #owned: Owned;

  constructor(client: Client, owned: Owned) {
    this.#client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject, _deleted: boolean, previous: KubeObject | undefined): string[] {
    if (shelf === 'batch/jobs') return [keyFor(object)];
    return shelf === 'pods' ? [...ownerKey('Job', object), ...ownerKey('Job', previous)] : [];
  }

  reconcile(key: string): void {
    const {namespace, name} = splitKey(key);
    const job = this.#client.get(JOBS, namespace, name);
    if (!job || job.metadata.deletionTimestamp || finished(job)) return;
    const suspended = at(job, 'spec', 'suspend') === true;
    const pods = this.#pods(job);
    if (suspended) for (const pod of pods.filter(isActive)) this.#client.delete(PODS, pod);
    else this.#work(job, pods);
    this.#report(job, suspended);
  }

  #pods(job: KubeObject): KubeObject[] {
    return this.#owned
      .objects(job.metadata.uid ?? '', 'pods')
      .filter(pod => controllerOf(pod)?.uid === job.metadata.uid);
  }

  #work(job: KubeObject, pods: KubeObject[]): void {
    const wanted = at(job, 'spec', 'completions');
    const succeeded = pods.filter(pod => stringAt(pod, 'status', 'phase') === 'Succeeded').length;
    const active = pods.filter(isActive).length;
    const left =
      typeof wanted === 'number' ? wanted - succeeded : succeeded > 0 ? 0 : Number.POSITIVE_INFINITY;
    const most = Math.min(numberAt(job, 'spec', 'parallelism'), left);
    for (let i = active; i < most; i++) {
      const pod = podFor(job);
      const labels = (pod.metadata as JsonObject).labels;
      if (!isObject(labels)) return;
      this.#client.create(PODS, pod);
    }
  }

  #report(job: KubeObject, suspended: boolean): void {
    const latest = this.#client.get(JOBS, job.metadata.namespace ?? '', job.metadata.name) ?? job;
    const pods = this.#pods(latest);
    const time = this.#client.api.timestamp();
    const phase = (wanted: string) => pods.filter(pod => stringAt(pod, 'status', 'phase') === wanted).length;
    const [succeeded, failed] = [phase('Succeeded'), phase('Failed')];
    const active = pods.filter(isActive);
    const wanted = at(latest, 'spec', 'completions');
    const enough = typeof wanted === 'number' ? succeeded >= wanted : succeeded > 0 && active.length === 0;
    const status: JsonObject = {
      ...(suspended ? {} : {startTime: stringAt(latest, 'status', 'startTime') || time}),
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
    } else if (failed > numberAt(latest, 'spec', 'backoffLimit')) {
      const message = 'Job has reached the specified backoff limit';
      status.conditions = [
        condition('FailureTarget', 'BackoffLimitExceeded', message),
        condition('Failed', 'BackoffLimitExceeded', message),
      ];
    } else if (suspended) {
      const old = listAt(latest, 'status', 'conditions');
      status.conditions = old.length > 0 ? old : [condition('Suspended', 'JobSuspended', 'Job suspended')];
    }
    if (!equal(status, latest.status)) this.#client.setStatus(JOBS, latest, status);
  }
}
