// Parses a URL into resource, namespace, name and subresource.
import type {Api} from '../api.ts';
import type {ServedResource} from '../kinds/served-resource.ts';

export interface RequestTarget {
  resource: ServedResource;
  namespace: string;
  name: string;
  subresource: string;
  /** The path after the subresource, for proxies. */
  rest: string;
}

/** The resource of a path; undefined if it is not served. */
export function routeRequest(api: Api, parts: string[]): RequestTarget | undefined {
  let [group, version, rest]: [string, string, string[]] = ['', '', []];
  if (parts[0] === 'api' && parts.length > 2) [version, rest] = [parts[1]!, parts.slice(2)];
  else if (parts[0] === 'apis' && parts.length > 3)
    [group, version, rest] = [parts[1]!, parts[2]!, parts.slice(3)];
  else return undefined;
  if (rest[0] === 'namespaces' && rest.length > 2) {
    const resource = api.resources.find(group, version, rest[2]!);
    if (resource?.namespaced) return requestTarget(resource, rest[1]!, rest.slice(3));
    // /namespaces/x/status and /finalize are subresources of the Namespace itself.
    if (group === '') {
      const namespaces = api.resources.find(group, version, 'namespaces');
      if (namespaces?.subresources.some(s => s.subresource === rest[2]))
        return requestTarget(namespaces, '', rest.slice(1));
    }
    return undefined;
  }
  const resource = api.resources.find(group, version, rest[0] ?? '');
  if (!resource) return undefined;
  // Without a namespace, a namespaced resource can only be listed.
  if (resource.namespaced && rest.length > 1) return undefined;
  return requestTarget(resource, '', rest.slice(1));
}

function requestTarget(
  resource: ServedResource,
  namespace: string,
  rest: string[],
): RequestTarget | undefined {
  const [name = '', subresource = '', ...more] = rest;
  if (subresource !== '' && !resource.subresources.some(s => s.subresource === subresource)) return undefined;
  return {resource, namespace, name, subresource, rest: more.join('/')};
}
