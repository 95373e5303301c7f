// The public exports of krtscope/cluster. README.md shows how a test uses them.

export {type ApiServer, type ApiServerOptions, startApiServer} from './api-server.ts';
export type {Definition} from './install-definitions.ts';
