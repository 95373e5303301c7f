// Adds a kind of the cluster as a source of the session.
import type {AddedSource} from '@krtscope/shared/sources.ts';
import {useApp} from '../../store/app.ts';
import {apiPath, jsonRequest, request} from '../../stream/http.ts';

/** `resource` in any form of kubectl. Fails with `taken` if it is a source already. */
export function addSource(resource: string): Promise<AddedSource> {
  const {session} = useApp.getState().route;
  return request(apiPath('/sources', {session}), jsonRequest('POST', {resource}));
}
