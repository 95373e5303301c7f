// How informers list, watch and resume, on any server. Numbers in brackets refer to a list of scenarios of
// client-go's reflector and informer.
import type {TestServer} from '../servers.ts';
import {auditSuite} from './audits.ts';
import {lieSuite} from './lies.ts';
import {listSuite} from './lists.ts';
import {watchSuite} from './watches.ts';

export function reflectorSuite(server: () => TestServer): void {
  listSuite(server);
  watchSuite(server);
  auditSuite(server);
  lieSuite(server);
}
