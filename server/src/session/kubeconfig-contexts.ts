// The contexts of the kubeconfig, and which of their clusters answer.
import type {Contexts} from '@krtscope/shared/session.ts';
import {chooseCluster, listContexts, probeContext} from '../kube/credentials/contexts.ts';
import type {Kubeconfig} from '../kube/credentials/kubeconfig.ts';

/** Reads the file each time, because contexts change while krtscope runs. */
export function readCurrentKubeconfig(kubeconfig: string | undefined): Kubeconfig | undefined {
  try {
    return chooseCluster({kubeconfig})?.config;
  } catch {
    return undefined;
  }
}

export async function probeContexts(config: Kubeconfig | undefined): Promise<Contexts> {
  if (config === undefined) return {contexts: []};
  const contexts = await Promise.all(
    listContexts(config).map(async ({name, server = '', current, namespace}) => {
      const answer = await probeContext(config, name);
      const base = {name, server, current, namespace};
      if (!answer.reachable) {
        return {...base, reachable: false, error: {kind: answer.error, message: answer.reason}};
      }
      return {...base, reachable: true, milliseconds: answer.ms, version: answer.version};
    }),
  );
  return {kubeconfig: config.files.join(':'), contexts};
}
