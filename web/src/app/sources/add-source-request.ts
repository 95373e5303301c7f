// Makes a kind that the cluster serves a source of the session.
import type {AddedSource} from '@krtscope/shared/sources.ts';
import {useApp} from '../../store/app.ts';
import {apiPath, json, request} from '../../stream/http.ts';

/** `resource` in any form that kubectl takes. Refused with `taken` if it is a source already. */
export function addSource(resource: string): Promise<AddedSource> {
  const {session} = useApp.getState().place;
  return request(apiPath('/sources', {session}), json('POST', {resource}));
}
