// What to attach to: the address of a document, or a Pod of the cluster that serves one.
import {parseKrtzAddress} from './krtz-request.ts';

export type AttachTarget =
  | {kind: 'url'; url: URL}
  /** A Pod, or the Pods of a Deployment. */
  | {kind: 'pod' | 'deploy'; namespace: string; name: string; port: number; path: string}
  /** Found by label, in all namespaces if none is given. Each port is tried in turn. */
  | {kind: 'app'; app: 'istiod' | 'kgateway'; namespace: string | undefined};

/** Where programs serve their document, by the program. Ports are tried in this order. */
export const appEndpoints = {
  istiod: {label: 'app=istiod', ports: [8080], path: '/debug/krtz'},
  kgateway: {label: 'app.kubernetes.io/name=kgateway', ports: [9097, 9095], path: '/snapshots/krt'},
} as const;

const DEFAULT_PATH = '/debug/krtz';

export const ATTACH_TARGET_HINT =
  'give a URL, pod/NAMESPACE/NAME:PORT, deploy/NAMESPACE/NAME:PORT, istiod, istiod.NAMESPACE or kgateway';

/** Throws an error that says what is wrong. */
export function parseAttachTarget(text: string): AttachTarget {
  const app = /^(istiod|kgateway)(?:\.([a-z0-9][a-z0-9-]*))?$/.exec(text);
  if (app !== null) return {kind: 'app', app: app[1] as 'istiod' | 'kgateway', namespace: app[2]};
  const workload = /^(pod|deploy|deployment)\/([^/]+)\/([^/:]+)(?::(\d+))?(\/.*)?$/.exec(text);
  if (workload !== null) {
    const [, word, namespace = '', name = '', port, path = DEFAULT_PATH] = workload;
    const number = Number(port);
    if (!(number >= 1 && number <= 65_535))
      throw new Error(`"${text}" needs a port: ${word}/${namespace}/${name}:8080`);
    return {kind: word === 'pod' ? 'pod' : 'deploy', namespace, name, port: number, path};
  }
  if (/^(pod|deploy|deployment)\//.test(text))
    throw new Error(`"${text}" is not complete: write ${text.split('/')[0]}/NAMESPACE/NAME:PORT`);
  return {kind: 'url', url: parseKrtzAddress(text)};
}

/** The name of the session: without a given one the host, the Pod or the program. */
export function nameOfTarget(target: AttachTarget): string {
  if (target.kind === 'url') return target.url.host.replaceAll(/[^A-Za-z0-9.-]+/g, '-');
  return target.kind === 'app' ? target.app : target.name;
}

/** `NAME=TARGET` or `TARGET`. A URL may contain `=`, so a name has no colon and no slash. */
export function splitAttachName(text: string): {name: string | undefined; rest: string} {
  const named = /^([A-Za-z0-9][A-Za-z0-9._-]{0,62})=(.+)$/s.exec(text);
  return named === null ? {name: undefined, rest: text} : {name: named[1], rest: named[2] as string};
}
