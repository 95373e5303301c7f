// The public face of the embedded API server, as krtscope/cluster: README.md beside it shows how a test uses it.

export {type ApiServer, type ApiServerOptions, startApiServer} from './api-server.ts';
export type {Definition} from './install-definitions.ts';
