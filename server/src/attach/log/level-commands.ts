// The commands that switch krt's debug lines on and off in a program. Switching them is the user's act.
import type {AttachTarget} from '../attach-target.ts';
import type {KrtzDocument} from '../krtz-document.ts';

const DEFAULT_NAMESPACE = 'istio-system';

/** Undefined for other programs than istiod: each has a way of its own. */
export function levelCommands(
  target: AttachTarget | undefined,
  document: Pick<KrtzDocument, 'collections'> | undefined,
): {on: string; off: string} | undefined {
  const isIstiod =
    (target?.kind === 'app' && target.app === 'istiod') ||
    document?.collections.some(({name}) => name.startsWith('crdclient/')) === true;
  if (!isIstiod) return undefined;
  const namespace = target === undefined || target.kind === 'url' ? undefined : target.namespace;
  const program =
    target?.kind === 'pod' || target?.kind === 'deploy'
      ? `${target.kind === 'pod' ? 'pod' : 'deploy'}/${target.name}`
      : 'deploy/istiod';
  const command = `istioctl admin log ${program} -n ${namespace ?? DEFAULT_NAMESPACE}`;
  return {on: `${command} --level krt:debug`, off: `${command} --level krt:info`};
}
