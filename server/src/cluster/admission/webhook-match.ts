// Which webhooks a write calls: rules, selectors and conditions, in the order of 1.36.

import {selectorMatches} from '../kinds/label-selector.ts';
import type {ServedResource} from '../kinds/served-resource.ts';
import {convertToVersion} from '../kinds/version-conversion.ts';
import {
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  type StoredObject,
  stringAt,
} from '../object/stored-object.ts';
import {type AdmissionAttributes, admissionRequest, namespaceOf} from './admission-request.ts';
import {evaluateConditions} from './match-conditions.ts';
import type {WebhookTarget} from './webhook-call.ts';

const GROUP = 'admissionregistration.k8s.io';

export interface ConfiguredWebhook {
  /** Unique: the configuration and the index. */
  id: string;
  name: string;
  node: JsonObject;
  mutating: boolean;
  ignoresFailures: boolean;
  reinvoked: boolean;
}

/** All webhooks of one type, by the names of their configurations. */
export function configuredWebhooks(attributes: AdmissionAttributes, mutating: boolean): ConfiguredWebhook[] {
  const {api, resource} = attributes.write;
  // Configurations are not admitted, or a wrong one could not be corrected.
  if (resource.group === GROUP) return [];
  const kind = mutating ? 'mutatingwebhookconfigurations' : 'validatingwebhookconfigurations';
  const configurations = [...api.resourceStore(api.resources.must(GROUP, 'v1', kind)).objects.values()];
  configurations.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return configurations.flatMap(configuration =>
    (listAt(configuration, 'webhooks') as JsonObject[]).map((node, i) => ({
      id: `${kind}/${configuration.metadata.name}/${i}`,
      name: stringAt(node, 'name'),
      node,
      mutating,
      ignoresFailures: node.failurePolicy === 'Ignore',
      reinvoked: node.reinvocationPolicy === 'IfNeeded',
    })),
  );
}

export function hasWebhooks(api: AdmissionAttributes['write']['api']): boolean {
  return ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].some(
    kind => api.resourceStore(api.resources.must(GROUP, 'v1', kind)).objects.size > 0,
  );
}

export type WebhookMatch = {request: JsonObject; resource: ServedResource} | {error: string} | undefined;

/** The request to send; undefined if the webhook does not apply. */
export function matchWebhook(webhook: ConfiguredWebhook, attributes: AdmissionAttributes): WebhookMatch {
  const resource = matchedResource(webhook.node, attributes);
  if (!resource || !matchesSelectors(webhook.node, attributes)) return undefined;
  const convert = (object: StoredObject | undefined) =>
    object && resource !== attributes.write.resource ? convertToVersion(resource, object) : object;
  const request = admissionRequest(
    {...attributes, object: convert(attributes.object), oldObject: convert(attributes.oldObject)},
    resource,
  );
  const result = evaluateConditions(listAt(webhook.node, 'matchConditions') as JsonObject[], request);
  if ('error' in result) return result;
  return result.matches ? {request, resource} : undefined;
}

/** The version that a rule names: the requested one, or an equivalent one. */
function matchedResource(node: JsonObject, attributes: AdmissionAttributes): ServedResource | undefined {
  const {resource, api} = attributes.write;
  const rules = listAt(node, 'rules') as JsonObject[];
  if (rules.some(rule => ruleMatches(rule, attributes, resource))) return resource;
  if (node.matchPolicy === 'Exact') return undefined;
  const others = api.resources
    .versions()
    .flatMap(({resources}) => resources)
    .filter(one => one !== resource && one.storeName === resource.storeName);
  return others.find(one => rules.some(rule => ruleMatches(rule, attributes, one)));
}

function ruleMatches(
  rule: JsonObject,
  {write, operation}: AdmissionAttributes,
  resource: ServedResource,
): boolean {
  const includes = (field: string, value: string) => {
    const list = listAt(rule, field);
    return list.includes('*') || list.includes(value);
  };
  const scope = stringAt(rule, 'scope') || '*';
  // A Namespace counts as cluster-scoped.
  if (scope !== '*' && (scope === 'Namespaced') !== resource.namespaced) return false;
  return (
    includes('operations', operation) &&
    includes('apiGroups', resource.group) &&
    includes('apiVersions', resource.version) &&
    listAt(rule, 'resources').some(pattern =>
      resourceMatches(String(pattern), resource.resource, write.subresource),
    )
  );
}

function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const [wanted = '', part = ''] = pattern.split('/');
  return (wanted === '*' || wanted === resource) && (part === '*' || part === subresource);
}

function matchesSelectors(node: JsonObject, attributes: AdmissionAttributes): boolean {
  const {api, resource} = attributes.write;
  const selector = isObject(node.objectSelector) ? node.objectSelector : {};
  const objects = [attributes.object, attributes.oldObject].filter(one => one !== undefined);
  if (!objects.some(one => selectorMatches(selector, one.metadata.labels))) return false;
  const namespace = namespaceOf(attributes);
  if (namespace === '') return true;
  const isNamespace = !resource.namespaced;
  // A Namespace is selected by the labels that it has after the write.
  const holder =
    isNamespace && attributes.object
      ? attributes.object
      : api.find(api.resources.must('', 'v1', 'namespaces'), '', namespace);
  const spaces = isObject(node.namespaceSelector) ? node.namespaceSelector : {};
  return selectorMatches(spaces, holder?.metadata.labels);
}

/** Where to send the request. Throws what to do for a Service, behind which no process runs. */
export function targetOf({name, node, mutating}: ConfiguredWebhook): WebhookTarget | {error: string} {
  const client = isObject(node.clientConfig) ? node.clientConfig : {};
  const url = stringAt(client, 'url');
  if (url === '') {
    const service = `${stringAt(client, 'service', 'name')}.${stringAt(client, 'service', 'namespace')}.svc`;
    return {
      error: `failed to call webhook: no process runs behind the Service ${service} of the embedded cluster; give the webhook a clientConfig.url`,
    };
  }
  const caBundle = stringAt(client, 'caBundle');
  return {name, url, caBundle, timeoutSeconds: numberAt(node, 'timeoutSeconds') || 10, mutating};
}
