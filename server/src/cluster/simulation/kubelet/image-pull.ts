// Images that cannot be pulled: the registry invalid.example, and the tag `missing` of any image.
import {listAt, type StoredObject, stringAt} from '../../object/stored-object.ts';

/** The container runtime's error for an image; undefined if the image can be pulled. */
export function pullError(image: string): string | undefined {
  const {registry, repository, tag} = parseImage(image);
  const name = `${registry}/${repository}:${tag}`;
  const failed = `failed to pull and unpack image "${name}": failed to resolve reference "${name}"`;
  const [host] = registry.split(':');
  if (host === 'invalid.example')
    return `${failed}: failed to do request: Head "https://${registry}/v2/${repository}/manifests/${tag}": dial tcp: lookup ${host}: no such host`;
  if (tag === 'missing') return `rpc error: code = NotFound desc = ${failed}: ${name}: not found`;
  return undefined;
}

export const hasPullError = (pod: StoredObject): boolean =>
  listAt(pod, 'spec', 'containers').some(one => pullError(stringAt(one, 'image')) !== undefined);

function parseImage(image: string): {registry: string; repository: string; tag: string} {
  const [name = ''] = image.split('@');
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const isRegistry = /[.:]/.test(first) || first === 'localhost';
  const rest = isRegistry ? name.slice(slash + 1) : name;
  const colon = rest.lastIndexOf(':');
  const repository = colon < 0 ? rest : rest.slice(0, colon);
  return {
    registry: isRegistry ? first : 'docker.io',
    repository: isRegistry || repository.includes('/') ? repository : `library/${repository}`,
    tag: colon < 0 ? 'latest' : rest.slice(colon + 1),
  };
}

/** Waits before each retry of a pull, as a kubelet does: 10 s, doubled up to 5 min. */
export class PullBackoff {
  readonly #tries = new Map<string, number>();

  /** Milliseconds until the next try. */
  delay(uid: string): number {
    return Math.min(10_000 * 2 ** (this.#tries.get(uid) ?? 0), 300_000);
  }

  count(uid: string): void {
    this.#tries.set(uid, (this.#tries.get(uid) ?? -1) + 1);
  }

  forget(uid: string): void {
    this.#tries.delete(uid);
  }
}
