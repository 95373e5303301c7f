// Finds the tool that manages an object from a source elsewhere: Helm, Argo CD or Flux.

export interface ManagingTool {
  readonly tool: 'Helm' | 'Argo CD' | 'Flux';
  /** Where its source is: `release web in namespace shop`, `application shop`. */
  readonly source: string | undefined;
}

interface ToolMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Field managers of the tools. */
const managers: Readonly<Record<string, ManagingTool['tool']>> = {
  helm: 'Helm',
  'argocd-controller': 'Argo CD',
  'argocd-application-controller': 'Argo CD',
  'kustomize-controller': 'Flux',
  'helm-controller': 'Flux',
};

const within = (namespace: string | undefined): string =>
  namespace === undefined ? '' : ` in namespace ${namespace}`;

/** By the marks that the tools leave on an object, else by the manager of the write. */
export function managingToolOf(object: unknown, manager: string | undefined): ManagingTool | undefined {
  const {labels = {}, annotations = {}} = (object as {metadata?: ToolMetadata} | undefined)?.metadata ?? {};
  const tracked = annotations['argocd.argoproj.io/tracking-id']?.split(':', 1)[0];
  const application = tracked ?? labels['argocd.argoproj.io/instance'];
  if (application !== undefined) return {tool: 'Argo CD', source: `application ${application}`};
  for (const [prefix, kind] of [
    ['kustomize.toolkit.fluxcd.io', 'Kustomization'],
    ['helm.toolkit.fluxcd.io', 'HelmRelease'],
  ] as const) {
    const name = labels[`${prefix}/name`];
    if (name !== undefined)
      return {tool: 'Flux', source: `${kind} ${name}${within(labels[`${prefix}/namespace`])}`};
  }
  const release = annotations['meta.helm.sh/release-name'];
  if (release !== undefined)
    return {
      tool: 'Helm',
      source: `release ${release}${within(annotations['meta.helm.sh/release-namespace'])}`,
    };
  const tool = manager === undefined ? undefined : managers[manager.toLowerCase()];
  return tool && {tool, source: undefined};
}
