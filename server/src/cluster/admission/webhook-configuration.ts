// ValidatingWebhookConfiguration and MutatingWebhookConfiguration: defaults and validation.

import type {FieldError, KindRules} from '../kinds/kind-rules.ts';
import {labelSelectorErrors} from '../kinds/label-selector.ts';
import {setDefault} from '../kinds/pod-defaults.ts';
import {subdomainProblems} from '../object/name-rules.ts';
import {isObject, type JsonObject, listAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {duplicate, invalidValue, notSupported, required} from '../wire/responses/invalid-errors.ts';
import {conditionErrors} from './match-conditions.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

const webhooksOf = (object: StoredObject): JsonObject[] =>
  (listAt(object, 'webhooks') as JsonObject[]).filter(isObject);

function setDefaults(object: StoredObject, mutating: boolean): void {
  for (const webhook of webhooksOf(object)) {
    setDefault(webhook, 'failurePolicy', 'Fail');
    setDefault(webhook, 'matchPolicy', 'Equivalent');
    setDefault(webhook, 'namespaceSelector', {});
    setDefault(webhook, 'objectSelector', {});
    setDefault(webhook, 'timeoutSeconds', 10);
    if (mutating) setDefault(webhook, 'reinvocationPolicy', 'Never');
    for (const rule of listAt(webhook, 'rules')) if (isObject(rule)) setDefault(rule, 'scope', '*');
    const client = webhook.clientConfig;
    if (isObject(client) && isObject(client.service)) setDefault(client.service, 'port', 443);
  }
}

function configurationErrors(object: StoredObject, mutating: boolean): FieldError[] {
  const names = new Set<string>();
  return webhooksOf(object).flatMap((webhook, i) => {
    const errors = webhookErrors(webhook, `webhooks[${i}]`, mutating);
    const name = stringAt(webhook, 'name');
    if (name !== '' && names.has(name)) errors.push(duplicate(`webhooks[${i}].name`, name));
    names.add(name);
    return errors;
  });
}

function webhookErrors(webhook: JsonObject, path: string, mutating: boolean): FieldError[] {
  const errors = nameErrors(stringAt(webhook, 'name'), `${path}.name`);
  (listAt(webhook, 'rules') as JsonObject[]).forEach((rule, i) => {
    errors.push(...ruleErrors(rule, `${path}.rules[${i}]`));
  });
  const oneOf = (field: string, values: string[]) => {
    const value = stringAt(webhook, field);
    if (!values.includes(value)) errors.push(notSupported(`${path}.${field}`, value, values));
  };
  oneOf('failurePolicy', ['Fail', 'Ignore']);
  oneOf('matchPolicy', ['Equivalent', 'Exact']);
  if (stringAt(webhook, 'sideEffects') === '')
    errors.push(required(`${path}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  else oneOf('sideEffects', ['None', 'NoneOnDryRun']);
  if (mutating) oneOf('reinvocationPolicy', ['IfNeeded', 'Never']);
  const {timeoutSeconds: timeout} = webhook;
  if (typeof timeout === 'number' && (timeout < 1 || timeout > 30))
    errors.push(
      invalidValue(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'),
    );
  errors.push(
    ...labelSelectorErrors(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...labelSelectorErrors(webhook.objectSelector, `${path}.objectSelector`),
    ...clientErrors(webhook.clientConfig, `${path}.clientConfig`),
    ...conditionErrors(listAt(webhook, 'matchConditions') as JsonObject[], `${path}.matchConditions`),
  );
  const versions = listAt(webhook, 'admissionReviewVersions');
  if (versions.length === 0)
    errors.push(required(`${path}.admissionReviewVersions`, 'must specify one of v1, v1beta1'));
  else if (!versions.includes('v1') && !versions.includes('v1beta1'))
    errors.push(
      invalidValue(`${path}.admissionReviewVersions`, versions, 'must include at least one of v1, v1beta1'),
    );
  return errors;
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const errors = subdomainProblems(name).map(text => invalidValue(field, name, text));
  if (errors.length === 0 && name.split('.').length < 3)
    errors.push(
      invalidValue(field, name, 'should be a domain with at least three segments separated by dots'),
    );
  return errors;
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const list = (field: string, others: string) => {
    const values = listAt(rule, field);
    if (values.length === 0) errors.push(required(`${path}.${field}`));
    else if (values.includes('*') && values.length > 1 && field !== 'resources')
      errors.push(
        invalidValue(`${path}.${field}`, values, `if '*' is present, must not specify other ${others}`),
      );
    return values;
  };
  for (const [i, value] of list('operations', 'operations').entries())
    if (!OPERATIONS.includes(String(value)))
      errors.push(notSupported(`${path}.operations[${i}]`, value, OPERATIONS));
  list('apiGroups', 'API groups');
  list('apiVersions', 'API versions').forEach((value, i) => {
    if (value === '') errors.push(required(`${path}.apiVersions[${i}]`));
  });
  const resources = list('resources', '') as string[];
  resources.forEach((value, i) => {
    if (value === '') errors.push(required(`${path}.resources[${i}]`));
  });
  if (resources.includes('*') && resources.some(one => one !== '*' && !one.includes('/')))
    errors.push(
      invalidValue(
        `${path}.resources`,
        resources,
        "if '*' is present, must not specify other resources without subresources",
      ),
    );
  if (resources.includes('*/*') && resources.length > 1)
    errors.push(
      invalidValue(`${path}.resources`, resources, "if '*/*' is present, must not specify other resources"),
    );
  const scope = stringAt(rule, 'scope') || '*';
  if (!['*', 'Cluster', 'Namespaced'].includes(scope))
    errors.push(notSupported(`${path}.scope`, scope, ['*', 'Cluster', 'Namespaced']));
  return errors;
}

function clientErrors(client: unknown, path: string): FieldError[] {
  const [url, service] = [stringAt(client, 'url'), isObject(client) ? client.service : undefined];
  if ((url === '') === !isObject(service))
    return [required(path, 'exactly one of url or service is required')];
  if (url === '') {
    return ['name', 'namespace'].flatMap(field =>
      stringAt(service, field) === ''
        ? [required(`${path}.service.${field}`, `service ${field} is required`)]
        : [],
    );
  }
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(url)?.[1] ?? '';
  if (scheme !== 'https')
    return [
      invalidValue(
        `${path}.url`,
        scheme,
        "'https' is the only allowed URL scheme; desired format: https://host[/path]",
      ),
    ];
  return [];
}

function configurationRules(mutating: boolean): KindRules {
  return {
    default: object => setDefaults(object, mutating),
    validate: object => configurationErrors(object, mutating),
    onCreate() {},
  };
}

export const validatingConfigurationRules = configurationRules(false);
export const mutatingConfigurationRules = configurationRules(true);
