// CustomResourceDefinitions: defaults and validation. custom-resources.ts serves what they define.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {checkDefinitionRules, type DefinitionRuleProblems} from '../cel/definition-rules.ts';
import {label1035Problems, subdomainProblems} from '../object/name-rules.ts';
import {isObject, type JsonObject, listAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {invalidValue, notSupported, required} from '../wire/responses/invalid-errors.ts';
import {definitionSchemaErrors} from './definition-schema.ts';
import type {FieldError, KindRules} from './kind-rules.ts';
import {setDefault} from './pod-defaults.ts';
import {specOf} from './workload-rules.ts';

function namesErrors(names: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    const name = stringAt(names, field);
    if (name === '') errors.push(required(`spec.names.${field}`));
    else {
      const mixed = field === 'kind' || field === 'listKind';
      const prefix = mixed ? 'may have mixed case, but should otherwise match: ' : '';
      for (const text of label1035Problems(mixed ? name.toLowerCase() : name))
        errors.push(invalidValue(`spec.names.${field}`, name, prefix + text));
    }
  }
  listAt(names, 'shortNames').forEach((name, i) => {
    for (const text of label1035Problems(String(name)))
      errors.push(invalidValue(`spec.names.shortNames[${i}]`, name, text));
  });
  if (stringAt(names, 'kind') !== '' && stringAt(names, 'kind') === stringAt(names, 'listKind')) {
    errors.push(invalidValue('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'));
  }
  return errors;
}

/** Versions as the real server prints them in an error: with Go's field names. */
function shownVersions(versions: JsonObject[] | undefined): unknown {
  return versions?.map(v => ({
    Name: v.name,
    Served: v.served === true,
    Storage: v.storage === true,
    Deprecated: v.deprecated === true,
    DeprecationWarning: null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));
}

function versionsErrors(spec: JsonObject): FieldError[] {
  const versions = Array.isArray(spec.versions) ? (spec.versions as JsonObject[]) : undefined;
  const list = versions ?? [];
  const errors: FieldError[] = [];
  const shown = shownVersions(versions) ?? null;
  const names = list.map(v => stringAt(v, 'name'));
  if (new Set(names).size < names.length)
    errors.push(invalidValue('spec.versions', shown, 'must contain unique version names'));
  list.forEach((version, i) => {
    for (const text of label1035Problems(stringAt(version, 'name')))
      errors.push(invalidValue(`spec.versions[${i}].name`, version.name, text));
  });
  if (list.filter(v => v.storage === true).length !== 1) {
    errors.push(
      invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version'),
    );
  }
  const first = names[0];
  if (first !== undefined && list.length === 1)
    for (const text of label1035Problems(first)) errors.push(invalidValue('spec.version', first, text));
  return errors;
}

function schemasErrors(spec: JsonObject): FieldError[] {
  const schemas = versionSchemas(spec);
  // A schema that all versions share is checked once.
  const shared = schemas.length > 0 && schemas.every(({schema}) => deepEqual(schema, schemas[0]!.schema));
  return (shared ? schemas.slice(0, 1) : schemas).flatMap(({schema, field}) => {
    if (!isObject(schema)) return [required(field)];
    const path = shared ? 'spec.validation.openAPIV3Schema' : field;
    const errors = definitionSchemaErrors(schema, path);
    return errors.length > 0 ? errors : rulesOfSchema(schema, path).errors;
  });
}

function versionSchemas(spec: JsonObject): {schema: unknown; field: string}[] {
  return (listAt(spec, 'versions') as JsonObject[]).map((version, i) => ({
    schema: isObject(version.schema) ? version.schema.openAPIV3Schema : undefined,
    field: `spec.versions[${i}].schema.openAPIV3Schema`,
  }));
}

// Validation and warnings of one write look at the same schema.
const checkedRules = new WeakMap<JsonObject, DefinitionRuleProblems>();

function rulesOfSchema(schema: JsonObject, path: string): DefinitionRuleProblems {
  let found = checkedRules.get(schema);
  if (!found) {
    found = checkDefinitionRules(schema, path);
    checkedRules.set(schema, found);
  }
  return found;
}

function definitionErrors(object: StoredObject): FieldError[] {
  const spec = specOf(object);
  const names = (isObject(spec.names) ? spec.names : {}) as JsonObject;
  const errors: FieldError[] = [];
  const group = stringAt(spec, 'group');
  if (object.metadata.name && object.metadata.name !== `${stringAt(names, 'plural')}.${group}`) {
    errors.push(
      invalidValue('metadata.name', object.metadata.name, 'must be spec.names.plural+"."+spec.group'),
    );
  }
  if (group === '') errors.push(required('spec.group'));
  else {
    for (const text of subdomainProblems(group)) errors.push(invalidValue('spec.group', group, text));
    if (!group.includes('.'))
      errors.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
  }
  const scope = stringAt(spec, 'scope');
  if (scope === '') errors.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced')
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  errors.push(...versionsErrors(spec), ...namesErrors(names), ...schemasErrors(spec), ...webhookErrors(spec));
  const stored = listAt(object, 'status', 'storedVersions');
  if (stored.length === 0)
    errors.push(invalidValue('status.storedVersions', null, 'must have at least one stored version'));
  return errors;
}

function immutableErrors(object: StoredObject, old: StoredObject): FieldError[] {
  const errors: FieldError[] = [];
  const [now, was] = [specOf(object), specOf(old)];
  for (const field of ['group', 'scope']) {
    if (!deepEqual(now[field], was[field]))
      errors.push(invalidValue(`spec.${field}`, now[field], 'field is immutable'));
  }
  for (const field of ['kind', 'plural']) {
    if (stringAt(now, 'names', field) !== stringAt(was, 'names', field)) {
      errors.push(invalidValue(`spec.names.${field}`, stringAt(now, 'names', field), 'field is immutable'));
    }
  }
  const versions = new Set((listAt(now, 'versions') as JsonObject[]).map(v => v.name));
  listAt(object, 'status', 'storedVersions').forEach((version, i) => {
    if (!versions.has(version))
      errors.push(
        invalidValue(
          `status.storedVersions[${i}]`,
          version,
          'missing from spec.versions; was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in the version and removes it from status.storedVersions',
        ),
      );
  });
  return errors;
}

export const definitionRules: KindRules = {
  default(object) {
    const spec = specOf(object);
    const names = (isObject(spec.names) ? spec.names : {}) as JsonObject;
    spec.names = names;
    if (stringAt(names, 'kind') !== '') {
      setDefault(names, 'singular', stringAt(names, 'kind').toLowerCase());
      setDefault(names, 'listKind', `${stringAt(names, 'kind')}List`);
    }
    setDefault(spec, 'conversion', {strategy: 'None'});
  },
  onCreate(object) {
    const storage = (listAt(object, 'spec', 'versions') as JsonObject[])
      .filter(v => v.storage === true)
      .map(v => v.name);
    object.status = {
      conditions: null,
      acceptedNames: {plural: '', kind: ''},
      storedVersions: storage.length > 0 ? storage : null,
    };
  },
  onUpdate(object) {
    const status = object.status as JsonObject;
    const stored = listAt(status, 'storedVersions') as string[];
    for (const version of listAt(object, 'spec', 'versions') as JsonObject[]) {
      if (version.storage === true && !stored.includes(stringAt(version, 'name')))
        status.storedVersions = [...stored, version.name];
    }
  },
  validate: definitionErrors,
  validateUpdate: (object, old) => [...definitionErrors(object), ...immutableErrors(object, old)],
  demandsRevision: true,
  warnings: object =>
    versionSchemas(specOf(object)).flatMap(({schema, field}) =>
      isObject(schema) ? rulesOfSchema(schema, field).warnings : [],
    ),
  onDelete(object) {
    // A deletion does not raise the generation of a definition.
    object.metadata.generation = (object.metadata.generation ?? 2) - 1;
    const status = object.status as JsonObject;
    const condition = {
      type: 'Terminating',
      status: 'True',
      lastTransitionTime: object.metadata.deletionTimestamp,
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    };
    status.conditions = [...listAt(status, 'conditions'), condition];
  },
  returnsDeleted: true,
};

function webhookErrors(spec: JsonObject): FieldError[] {
  const conversion = isObject(spec.conversion) ? spec.conversion : {};
  const strategy = stringAt(conversion, 'strategy');
  if (strategy === 'None') return [];
  if (strategy !== 'Webhook')
    return [notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])];
  const errors: FieldError[] = [];
  const client = isObject(conversion.webhook) ? conversion.webhook.clientConfig : undefined;
  const field = 'spec.conversion.webhookClientConfig';
  if (!isObject(client)) errors.push(required(field, 'required when strategy is set to Webhook'));
  else if ((stringAt(client, 'url') === '') === !isObject(client.service))
    errors.push(required(field, 'exactly one of url or service is required'));
  else errors.push(...urlErrors(stringAt(client, 'url'), `${field}.url`));
  if (listAt(conversion, 'webhook', 'conversionReviewVersions').length === 0)
    errors.push(required('spec.conversion.conversionReviewVersions'));
  return errors;
}

function urlErrors(url: string, field: string): FieldError[] {
  if (url === '' || url.startsWith('https://')) return [];
  const scheme = url.includes('://') ? url.slice(0, url.indexOf('://')) : '';
  return [invalidValue(field, scheme, "'https' is the only allowed URL scheme")];
}
