// Responses for paths without objects: version, health, discovery and OpenAPI.
import type {Api} from '../../api.ts';
import {dumpedDiscovery} from '../../schema/dumped-schemas.ts';
import type {Exchange} from '../exchange.ts';
import {aggregatedDiscovery, apiVersions, groupList, oneGroup, resourceList} from './discovery.ts';
import {openapiIndex, openapiText} from './openapi.ts';
import {methodNotAllowed} from './status-error.ts';

const AGGREGATED =
  /application\/json\s*;[^,]*g=apidiscovery\.k8s\.io;[^,]*v=(v2beta1|v2)\b[^,]*as=APIGroupDiscoveryList/;

/** Returns true if it answered the path. */
export function answerNonResourceUrl(api: Api, parts: string[], exchange: Exchange): boolean {
  const [first = '', second, third] = parts;
  const body = () => {
    if (parts.length === 1 && ['healthz', 'livez', 'readyz'].includes(first)) return 'ok';
    if (parts.length === 0) return {paths: rootPaths(api)};
    if (first === 'version' && parts.length === 1) return {...dumpedDiscovery().version};
    if (first === 'api' && parts.length === 2) return resourceList(api, '', second!);
    if (first === 'apis' && parts.length === 2) return oneGroup(api, second!);
    if (first === 'apis' && parts.length === 3) return resourceList(api, second!, third!);
    return undefined;
  };
  if ((first === 'api' || first === 'apis') && parts.length === 1) {
    answerRoot(api, first === 'api', exchange);
    return true;
  }
  if (first === 'openapi') return answerOpenapi(api, parts, exchange);
  const found = body();
  if (found === undefined) return false;
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw methodNotAllowed();
  if (typeof found === 'string') exchange.text(200, found, 'text/plain; charset=utf-8');
  else exchange.json(200, found);
  return true;
}

function rootPaths(api: Api): string[] {
  const versions = api.resources
    .versions()
    .flatMap(v =>
      v.group === ''
        ? ['/api', `/api/${v.version}`]
        : ['/apis', `/apis/${v.group}`, `/apis/${v.group}/${v.version}`],
    );
  return [
    ...new Set([...versions, '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version']),
  ].sort();
}

function answerOpenapi(api: Api, parts: string[], exchange: Exchange): boolean {
  if (parts[1] === 'v2' && parts.length === 2) {
    answerOpenapiV2(exchange);
    return true;
  }
  if (parts[1] !== 'v3') return false;
  if (parts.length === 2) {
    exchange.json(200, openapiIndex(api));
    return true;
  }
  const text = openapiText(api, parts.slice(2).join('/'));
  if (text === undefined) return false;
  if (exchange.query.has('hash')) exchange.response.setHeader('cache-control', 'public, immutable');
  exchange.text(200, text, 'application/json');
  return true;
}

/**
 * An empty document. kubectl requests it to validate a List, finds no schema for that kind on a real server
 * either, and lets the server validate.
 */
function answerOpenapiV2(exchange: Exchange): void {
  const info = {title: 'Kubernetes', version: String(dumpedDiscovery().version.gitVersion)};
  if (!exchange.accept.includes('protobuf')) {
    exchange.json(200, {swagger: '2.0', info, paths: {}, definitions: {}});
    return;
  }
  const text = (field: number, value: string | Buffer): Buffer => {
    const bytes = Buffer.from(value as string);
    return Buffer.concat([Buffer.from([(field << 3) | 2, bytes.length]), bytes]);
  };
  const document = Buffer.concat([
    text(1, '2.0'),
    text(2, Buffer.concat([text(1, info.title), text(2, info.version)])),
  ]);
  const {response} = exchange;
  response.writeHead(200, {'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'});
  response.end(document);
}

function answerRoot(api: Api, core: boolean, exchange: Exchange): void {
  const wanted = AGGREGATED.exec(exchange.accept)?.[1];
  exchange.response.setHeader('vary', 'Accept');
  if (wanted) {
    const type = `application/json;g=apidiscovery.k8s.io;v=${wanted};as=APIGroupDiscoveryList`;
    exchange.json(200, aggregatedDiscovery(api, core, `apidiscovery.k8s.io/${wanted}`), type);
    return;
  }
  const address = exchange.request.headers.host ?? '127.0.0.1';
  exchange.json(200, core ? apiVersions(address) : groupList(api));
}
