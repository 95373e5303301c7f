// Requests about objects: picks the verb and shapes its answer.
import type {Api} from '../api.ts';
import type {KubeObject} from '../object/types.ts';
import {getObject, listBody, listObjects} from '../verbs/read.ts';
import {deleteObject} from '../verbs/remove.ts';
import {checkWatch, type Sink, startWatch} from '../verbs/watch.ts';
import {createObject, updateObject, type Write} from '../verbs/write.ts';
import type {Access, User} from './access.ts';
import {readBody} from './body.ts';
import type {Exchange} from './exchange.ts';
import {flag, listQuery, watchQuery} from './options.ts';
import type {Target} from './route.ts';
import {methodNotAllowed} from './status.ts';

export async function answerResource(
  api: Api,
  _access: Access,
  _user: User,
  target: Target,
  exchange: Exchange,
): Promise<void> {
  const {resource, namespace, name} = target;
  const write: Write = {
    api,
    resource,
    namespace,
    subresource: target.subresource,
    manager: exchange.manager,
    dryRun: exchange.query.get('dryRun') === 'All',
    warnings: exchange.warnings,
  };
  switch (exchange.method) {
    case 'GET':
      if (exchange.query.has('watch') && flag(exchange.query, 'watch')) watch(api, target, exchange);
      else if (name !== '') exchange.json(200, getObject(api, resource, namespace, name));
      else
        exchange.json(
          200,
          listBody(resource, await listObjects(api, resource, namespace, listQuery(exchange.query))),
        );
      return;
    case 'POST': {
      const body = JSON.parse((await readBody(exchange.request)).toString('utf8')) as KubeObject;
      exchange.json(201, createObject(write, body));
      return;
    }
    case 'PUT': {
      const body = JSON.parse((await readBody(exchange.request)).toString('utf8')) as KubeObject;
      exchange.json(
        200,
        updateObject(write, name, () => body, {put: true}),
      );
      return;
    }
    case 'DELETE': {
      await readBody(exchange.request);
      exchange.json(200, deleteObject(write, name, {}).object);
      return;
    }
    default:
      throw methodNotAllowed();
  }
}

function watch(api: Api, target: Target, exchange: Exchange): void {
  const query = watchQuery(exchange.query);
  if (target.name !== '') query.fieldSelector = `metadata.name=${target.name}`;
  checkWatch(target.resource, query);
  const {response} = exchange;
  response.writeHead(200, {'content-type': 'application/json', 'transfer-encoding': 'chunked'});
  response.flushHeaders();
  const sink: Sink = {
    send(type, object) {
      response.write(`{"type":"${type}","object":${JSON.stringify(object)}}\n`);
      return response.writableLength < 64 * 1024 * 1024;
    },
    end: () => response.end(),
  };
  const stop = startWatch(api, target.resource, target.namespace, query, sink);
  response.on('close', stop);
}
