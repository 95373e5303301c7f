// Authentication and authorization. The owner's token may do everything, the user's token what RBAC objects
// grant.
import type {Api} from '../api.ts';
import type {ServedResource} from '../kinds/served-resource.ts';
import {type JsonObject, listAt, mapAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import type {RequestSide} from './exchange.ts';
import {qualified, StatusError} from './responses/status-error.ts';

export interface User {
  name: string;
  groups: string[];
}

export interface ResourceAttributes {
  verb: string;
  resource: ServedResource;
  subresource: string;
  namespace: string;
  name: string;
}

interface RbacRequest {
  verb: string;
  group: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
}

interface RbacRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

// Paths that every user may read, as in the default roles.
const OPEN_PATHS = /^\/(api|apis|openapi|version|healthz|livez|readyz)(\/|$)/;

export class RbacAccess {
  readonly #api: Api;
  readonly #users: Map<string, User>;

  constructor(api: Api, token: string, userToken: string) {
    this.#api = api;
    this.#users = new Map([
      [token, {name: 'krtscope-demo', groups: ['system:masters', 'system:authenticated']}],
      [userToken, {name: 'krtscope-user', groups: ['system:authenticated']}],
    ]);
  }

  userOf(token: string): User | undefined {
    return this.#users.get(token);
  }

  authenticate(request: RequestSide): User {
    const header = request.headers.authorization ?? '';
    const user = header.startsWith('Bearer ') ? this.#users.get(header.slice(7)) : undefined;
    if (user) return user;
    const open = /^\/(version|healthz|livez|readyz)(\/|$|\?)/.test(request.url ?? '');
    if (open && header === '') return {name: 'system:anonymous', groups: ['system:unauthenticated']};
    throw new StatusError(401, 'Unauthorized', 'Unauthorized');
  }

  authorize(user: User, attributes: ResourceAttributes): void {
    const {verb, resource, subresource, namespace, name} = attributes;
    const request = {verb, group: resource.group, resource: resource.resource, subresource, namespace, name};
    if (this.#allows(user, request)) return;
    const full = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
    const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
    const why = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(resource.group)} ${scope}`;
    const subject = qualified(resource);
    const message =
      name === ''
        ? `${subject} is forbidden: ${why}`
        : `${subject} ${JSON.stringify(name)} is forbidden: ${why}`;
    throw new StatusError(403, 'Forbidden', message, {
      ...(name !== '' && {name}),
      ...(resource.group !== '' && {group: resource.group}),
      kind: resource.resource,
    });
  }

  authorizePath(user: User, path: string, method: string): void {
    const verb = method.toLowerCase();
    if (this.#allowsPath(user, path, verb)) return;
    throw new StatusError(
      403,
      'Forbidden',
      `forbidden: User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`,
      {},
    );
  }

  /** The status of an access review. */
  review(user: User, spec: JsonObject): JsonObject {
    const wanted = mapAt(spec, 'resourceAttributes');
    if (spec.nonResourceAttributes !== undefined) {
      const path = stringAt(spec, 'nonResourceAttributes', 'path');
      return {allowed: this.#allowsPath(user, path, stringAt(spec, 'nonResourceAttributes', 'verb'))};
    }
    const request = {
      verb: wanted.verb ?? '',
      group: wanted.group ?? '',
      resource: wanted.resource ?? '',
      subresource: wanted.subresource ?? '',
      namespace: wanted.namespace ?? '',
      name: wanted.name ?? '',
    };
    return {allowed: this.#allows(user, request)};
  }

  /** Default roles open some paths; rules of ClusterRoles with nonResourceURLs open others. */
  #allowsPath(user: User, path: string, verb: string): boolean {
    if (user.groups.includes('system:masters') || OPEN_PATHS.test(path)) return true;
    return this.#rulesFor(user, '').some(
      ({verbs = [], nonResourceURLs = []}) =>
        (verbs.includes('*') || verbs.includes(verb)) &&
        nonResourceURLs.some(url => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)))),
    );
  }

  /** The status of a rules review: what the user may do in a namespace. */
  rules(user: User, namespace: string): JsonObject {
    const all = {verbs: ['*'], apiGroups: ['*'], resources: ['*']};
    const paths = {
      verbs: ['get'],
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
      ],
    };
    const masters = user.groups.includes('system:masters');
    const resourceRules = masters ? [all] : [...SELF_RULES, ...this.#rulesFor(user, namespace)];
    return {
      resourceRules,
      nonResourceRules: masters ? [{verbs: ['*'], nonResourceURLs: ['*']}] : [paths],
      incomplete: false,
    };
  }

  #allows(user: User, request: RbacRequest): boolean {
    if (user.groups.includes('system:masters')) return true;
    return [...SELF_RULES, ...this.#rulesFor(user, request.namespace)].some(rule => covers(rule, request));
  }

  #rulesFor(user: User, namespace: string): RbacRule[] {
    const out: RbacRule[] = [];
    for (const binding of this.#list('clusterrolebindings')) {
      if (binds(binding, user)) out.push(...this.#roleRules(binding, ''));
    }
    if (namespace === '') return out;
    for (const binding of this.#list('rolebindings')) {
      if (binding.metadata.namespace === namespace && binds(binding, user))
        out.push(...this.#roleRules(binding, namespace));
    }
    return out;
  }

  #roleRules(binding: StoredObject, namespace: string): RbacRule[] {
    const role = mapAt(binding, 'roleRef');
    const plural = role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    const resource = this.#api.resources.must('rbac.authorization.k8s.io', 'v1', plural);
    const found = this.#api.find(resource, plural === 'roles' ? namespace : '', role.name ?? '');
    return listAt(found, 'rules') as RbacRule[];
  }

  #list(plural: string): StoredObject[] {
    const resource = this.#api.resources.must('rbac.authorization.k8s.io', 'v1', plural);
    return [...this.#api.resourceStore(resource).objects.values()];
  }
}

/** Every user may review their own access. */
const SELF_RULES: RbacRule[] = [
  {
    verbs: ['create'],
    apiGroups: ['authorization.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  },
  {verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews']},
];

function binds(binding: StoredObject, user: User): boolean {
  return listAt(binding, 'subjects').some(subject => {
    const kind = stringAt(subject, 'kind');
    const name = stringAt(subject, 'name');
    return (kind === 'User' && name === user.name) || (kind === 'Group' && user.groups.includes(name));
  });
}

function covers(rule: RbacRule, request: RbacRequest): boolean {
  const has = (list: string[] | undefined, value: string) =>
    list !== undefined && (list.includes('*') || list.includes(value));
  const full = request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`;
  if (!has(rule.verbs, request.verb) || !has(rule.apiGroups, request.group)) return false;
  if (
    !has(rule.resources, full) &&
    !(request.subresource !== '' && rule.resources?.includes(`*/${request.subresource}`))
  )
    return false;
  return !rule.resourceNames || rule.resourceNames.length === 0 || rule.resourceNames.includes(request.name);
}
