// Requests for objects: checks the right to the verb, then calls the verb.
import type {Api} from '../../api.ts';
import {getObject, listObjects, parseRevision, waitFor} from '../../verbs/read.ts';
import type {Exchange} from '../exchange.ts';
import type {RbacAccess, User} from '../rbac-access.ts';
import {ResponseShaper} from '../responses/response-shape.ts';
import {methodNotAllowed, noSuchPath, StatusError} from '../responses/status-error.ts';
import {streamList} from '../responses/stream-list.ts';
import type {RequestTarget} from '../route.ts';
import {answerDelete, answerDeleteCollection} from './delete-request.ts';
import {booleanParameter, parseListQuery} from './query-options.ts';
import {answerSubresource} from './subresource-request.ts';
import {answerWatch} from './watch-request.ts';
import {answerCreate, answerPatch, answerUpdate} from './write-request.ts';

// Longer lists are streamed.
const STREAMED = 1000;

/** The Kubernetes verb of a method; undefined if there is none. */
function verbOf(method: string, target: RequestTarget, watching: boolean): string | undefined {
  const one = target.name !== '';
  switch (method) {
    case 'GET':
      if (watching) return 'watch';
      return one ? 'get' : 'list';
    case 'POST':
      return one && target.subresource === '' ? undefined : 'create';
    case 'PUT':
      return one ? 'update' : undefined;
    case 'PATCH':
      return one ? 'patch' : undefined;
    case 'DELETE':
      return one ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

export async function answerResource(
  api: Api,
  access: RbacAccess,
  user: User,
  target: RequestTarget,
  exchange: Exchange,
): Promise<void> {
  const {resource, namespace, name, subresource} = target;
  const watching = exchange.query.has('watch') && booleanParameter(exchange.query, 'watch');
  const verb = verbOf(exchange.method, target, watching);
  if (!verb) throw methodNotAllowed();
  access.authorize(user, {verb, resource, subresource, namespace, name});
  const allowed =
    subresource === ''
      ? resource.verbs
      : (resource.subresources.find(s => s.subresource === subresource)?.verbs ?? []);
  if (!allowed.includes(verb)) throw methodNotAllowed();
  if (resource.namespaced && namespace === '' && !['list', 'watch', 'deletecollection'].includes(verb)) {
    throw verb === 'create' ? methodNotAllowed() : noSuchPath();
  }
  if (subresource !== '' && subresource !== 'status') {
    await answerSubresource(api, target, verb, exchange);
    return;
  }
  const mayCreate = () => access.authorize(user, {verb: 'create', resource, subresource, namespace, name});
  switch (verb) {
    case 'get':
      await answerGet(api, target, exchange);
      return;
    case 'list':
      await answerList(api, target, exchange);
      return;
    case 'watch':
      answerWatch(api, target, exchange);
      return;
    case 'create':
      await answerCreate(api, access, user, target, exchange);
      return;
    case 'update':
      await answerUpdate(api, target, exchange, mayCreate);
      return;
    case 'patch':
      await answerPatch(api, target, exchange, mayCreate);
      return;
    case 'delete':
      await answerDelete(api, target, exchange);
      return;
    default:
      await answerDeleteCollection(api, target, exchange);
  }
}

async function answerGet(api: Api, target: RequestTarget, exchange: Exchange): Promise<void> {
  const shaper = new ResponseShaper(api, target.resource, exchange);
  const revision = exchange.query.get('resourceVersion') ?? '';
  if (revision !== '') {
    const wanted = parseRevision(revision, wrong => new StatusError(500, '', wrong));
    await waitFor(api, wanted);
  }
  const object = getObject(api, target.resource, target.namespace, target.name);
  exchange.text(200, shaper.encode(shaper.one(object), exchange.pretty), shaper.contentType);
}

async function answerList(api: Api, target: RequestTarget, exchange: Exchange): Promise<void> {
  const shaper = new ResponseShaper(api, target.resource, exchange);
  const query = parseListQuery(exchange.query);
  const answer = await listObjects(api, target.resource, target.namespace, query);
  const body = shaper.list(answer);
  if (
    answer.items.length > STREAMED &&
    Array.isArray(body.items) &&
    shaper.form.media === 'json' &&
    !exchange.pretty
  ) {
    await streamList(exchange.response, body, shaper.contentType);
    return;
  }
  exchange.text(200, shaper.encode(body, exchange.pretty), shaper.contentType);
}
