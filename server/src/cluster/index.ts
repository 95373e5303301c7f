// The public exports of krtscope/cluster. README.md shows how a test uses them.

export {type ApiServer, type ApiServerOptions, startApiServer} from './api-server.ts';
export type {MessageDelays} from './deterministic/delayed-wire.ts';
export {type Permutation, type PermuteOptions, permute} from './deterministic/permute.ts';
export {VirtualClock, type VirtualClockOptions} from './deterministic/virtual-clock.ts';
export {type FakeClientOptions, fakeClient} from './fake-client/fake-client.ts';
export type {Interceptors} from './fake-client/interceptors.ts';
export type {Definition} from './install-definitions.ts';
