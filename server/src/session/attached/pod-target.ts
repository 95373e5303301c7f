// The Pods that a target means, found again when one of them is replaced.
import {type AttachTarget, appEndpoints} from '../../attach/attach-target.ts';
import type {KrtzAnswer} from '../../attach/krtz-request.ts';
import type {LogSource} from '../../attach/log/log-source.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';
import type {Transport} from '../../kube/transport/transport.ts';
import type {DocumentSource} from './attached-feed.ts';
import {requestPodDocument} from './pod-document.ts';
import {PodLog, type PodLogTarget} from './pod-log.ts';

type PodTarget = Exclude<AttachTarget, {kind: 'url'}>;

interface TargetPod {
  metadata: {name: string; namespace: string; uid: string; deletionTimestamp?: string};
  spec?: {containers?: {name: string}[]};
  status?: {phase?: string};
}

/** The Pods of a target, sorted by name. Throws EngineFailure if there is none. */
export async function findPods(transport: Transport, target: PodTarget): Promise<TargetPod[]> {
  const pods = (await listPods(transport, target)).filter(
    ({metadata, status}) => metadata.deletionTimestamp === undefined && status?.phase !== 'Failed',
  );
  if (pods.length > 0) return pods.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  throw new EngineFailure({
    code: 'bad-query',
    message: `the cluster has no Pod for ${textOf(target)}`,
    hint:
      target.kind === 'app'
        ? `kubectl get pods -A -l ${appEndpoints[target.app].label}`
        : 'kubectl get pods -A',
  });
}

async function listPods(transport: Transport, target: PodTarget): Promise<TargetPod[]> {
  const podsPath = (namespace: string | undefined) =>
    namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const list = async (namespace: string | undefined, labelSelector: string) =>
    (await transport.request<{items: TargetPod[]}>({path: podsPath(namespace), query: {labelSelector}})).body
      .items;
  if (target.kind === 'app') return list(target.namespace, appEndpoints[target.app].label);
  const name = encodeURIComponent(target.name);
  if (target.kind === 'pod')
    return [(await transport.request<TargetPod>({path: `${podsPath(target.namespace)}/${name}`})).body];
  const namespace = encodeURIComponent(target.namespace);
  const {body} = await transport.request<{spec: {selector: {matchLabels?: Record<string, string>}}}>({
    path: `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`,
  });
  const labels = Object.entries(body.spec.selector.matchLabels ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  return (await list(target.namespace, labels.join(','))).slice(0, 1);
}

export function textOf(target: PodTarget): string {
  if (target.kind === 'app')
    return target.namespace === undefined ? target.app : `${target.app}.${target.namespace}`;
  return `${target.kind}/${target.namespace}/${target.name}:${target.port}${target.path}`;
}

/** One replica of a target. When its Pod is gone, the Pod at the same place takes over. */
export class PodReplica {
  readonly #transport: Transport;
  readonly #target: PodTarget;
  readonly #place: number;
  #pod: TargetPod | undefined;
  /** The port that answered. */
  #port: number | undefined;

  constructor(transport: Transport, target: PodTarget, place: number, pod: TargetPod) {
    this.#transport = transport;
    this.#target = target;
    this.#place = place;
    this.#pod = pod;
  }

  document(headers: Readonly<Record<string, string>> | undefined): DocumentSource {
    return {
      text: textOf(this.#target),
      request: ended => this.#request(ended, headers),
    };
  }

  log(): LogSource {
    return new PodLog(this.#transport, `the log of ${textOf(this.#target)}`, () => this.#logTarget());
  }

  async #request(
    ended: AbortSignal,
    headers: Readonly<Record<string, string>> | undefined,
  ): Promise<KrtzAnswer> {
    let answer: KrtzAnswer = {reason: 'the Pod has no port to try', hint: ''};
    try {
      const {namespace, name: pod} = (await this.#current()).metadata;
      for (const port of this.#ports()) {
        const {path} = this.#endpoint();
        answer = await requestPodDocument(this.#transport, {namespace, pod, port}, path, ended, headers);
        if ('text' in answer) this.#port = port;
        if ('text' in answer || answer.reason.startsWith('status 500')) return answer;
      }
    } catch (error) {
      answer = {reason: (error as Error).message, hint: 'kubectl get pods -A shows whether it runs'};
    }
    // Look for it again before the next try: it may have been replaced.
    this.#pod = undefined;
    this.#port = undefined;
    return answer;
  }

  #ports(): readonly number[] {
    return this.#port === undefined ? this.#endpoint().ports : [this.#port];
  }

  #endpoint(): {ports: readonly number[]; path: string} {
    const target = this.#target;
    return target.kind === 'app' ? appEndpoints[target.app] : {ports: [target.port], path: target.path};
  }

  async #current(): Promise<TargetPod> {
    if (this.#pod !== undefined) return this.#pod;
    const pods = await findPods(this.#transport, this.#target);
    this.#pod = pods[Math.min(this.#place, pods.length - 1)] as TargetPod;
    return this.#pod;
  }

  async #logTarget(): Promise<PodLogTarget> {
    const {metadata, spec} = await this.#current();
    const names = (spec?.containers ?? []).map(({name}) => name);
    const container = names.find(name => name === 'discovery') ?? names[0];
    return {namespace: metadata.namespace, pod: metadata.name, container};
  }
}
