// The document and the log of a program to attach to. A target may stand for several Pods.
import {
  ATTACH_TARGET_HINT,
  type AttachTarget,
  nameOfTarget,
  parseAttachTarget,
} from '../../attach/attach-target.ts';
import {requestKrtz} from '../../attach/krtz-request.ts';
import {LogFile} from '../../attach/log/log-file.ts';
import type {LogSource} from '../../attach/log/log-source.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';
import type {AttachSessionRequest} from '../../engine/link/session.ts';
import type {Transport} from '../../kube/transport/transport.ts';
import type {DocumentSource} from './attached-feed.ts';
import {findPods, PodReplica} from './pod-target.ts';

/** One program, with the name of its session. */
export interface AttachedProgram {
  name: string;
  document: DocumentSource;
  log: LogSource | undefined;
  target: AttachTarget;
}

/** Rejects with EngineFailure. */
export function parseTargetRequest(text: string): AttachTarget {
  try {
    return parseAttachTarget(text);
  } catch (error) {
    throw new EngineFailure({code: 'bad-query', message: (error as Error).message, hint: ATTACH_TARGET_HINT});
  }
}

export async function attachSources(
  target: AttachTarget,
  {name = nameOfTarget(target), headers, log}: AttachSessionRequest,
  file: string | undefined,
  transport: () => Transport,
): Promise<AttachedProgram[]> {
  const logFile = file === undefined ? undefined : new LogFile(file);
  if (target.kind === 'url') return [{name, document: documentAt(target.url, headers), log: logFile, target}];
  const connection = transport();
  const pods = await findPods(connection, target).catch(error => {
    if (error instanceof EngineFailure) throw error;
    const hint = 'kubectl get pods -A shows the Pods of the cluster';
    throw new EngineFailure({code: 'cluster-unreachable', message: (error as Error).message, hint});
  });
  return pods.map((pod, place) => {
    const replica = new PodReplica(connection, target, place, pod);
    const own = log === 'off' ? undefined : replica.log();
    return {
      name: place === 0 ? name : `${name}-${place + 1}`,
      document: replica.document(headers),
      log: logFile ?? own,
      target,
    };
  });
}

function documentAt(url: URL, headers: AttachSessionRequest['headers']): DocumentSource {
  return {
    // Omit the query string, which may contain a secret.
    text: `${url.origin}${url.pathname}`,
    request: ended => requestKrtz(url, ended, headers),
  };
}
