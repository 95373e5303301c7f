// The objects that tell the API server which webhooks to call.

import type {KubeObject} from '../../kube/object.ts';
import type {Resource} from '../../kube/resource.ts';
import {groupVersionOf} from '../scheme/kind.ts';
import type {AdmissionWebhook} from './admission-webhook.ts';

/** Where the API server finds the webhooks: behind a Service in the cluster, or at an address. */
export type WebhookAddress =
  | {readonly service: {readonly namespace: string; readonly name: string; readonly port?: number}}
  /** `https://host:port`, without a path. */
  | {readonly url: string};

/** The path of a webhook, the same as in controller-runtime. */
export function webhookPath({type, kind}: AdmissionWebhook): string {
  const {group, version} = groupVersionOf(kind.apiVersion);
  const verb = type === 'validating' ? 'validate' : 'mutate';
  return `/${verb}-${group.replaceAll('.', '-')}-${version}-${kind.kind.toLowerCase()}`;
}

export interface ConfigurationOptions {
  /** The name of both objects. */
  name: string;
  address: WebhookAddress;
  /** Certificates in PEM form. Absent in manifests: the manager adds it. */
  ca?: string | undefined;
}

/** One object for all validating webhooks and one for all defaulting ones. */
export function webhookConfigurations(
  webhooks: readonly {webhook: AdmissionWebhook; resource: Resource}[],
  options: ConfigurationOptions,
): KubeObject[] {
  return (['validating', 'defaulting'] as const).flatMap(type => {
    const own = webhooks.filter(({webhook}) => webhook.type === type);
    if (own.length === 0) return [];
    return [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: type === 'validating' ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration',
        metadata: {name: options.name},
        webhooks: own.map(({webhook, resource}) => webhookNode(webhook, resource, options)),
      } as KubeObject,
    ];
  });
}

function webhookNode(
  webhook: AdmissionWebhook,
  {group, version, plural}: Resource,
  options: ConfigurationOptions,
) {
  const {reinvocationPolicy, sideEffects = 'None', ...rest} = webhook.options;
  return {
    name: `${webhook.type}.${plural}.${group === '' ? 'core.k8s.io' : group}`,
    clientConfig: clientConfig(options, webhookPath(webhook)),
    rules: [
      {apiGroups: [group], apiVersions: [version], resources: [plural], operations: [...webhook.operations]},
    ],
    sideEffects,
    admissionReviewVersions: ['v1'],
    ...rest,
    ...(webhook.type === 'defaulting' && reinvocationPolicy && {reinvocationPolicy}),
  };
}

export function clientConfig({address, ca}: Pick<ConfigurationOptions, 'address' | 'ca'>, path: string) {
  const caBundle = ca === undefined ? {} : {caBundle: Buffer.from(ca).toString('base64')};
  if ('url' in address) return {url: `${address.url.replace(/\/$/, '')}${path}`, ...caBundle};
  const {namespace, name, port = 443} = address.service;
  return {service: {namespace, name, port, path}, ...caBundle};
}
