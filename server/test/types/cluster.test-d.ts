// The public names of krtscope/cluster: fields, members, arguments and values. The compiler is the test.
import {expectTypeOf} from 'vitest';
import type {
  ApiServer,
  ApiServerOptions,
  Definition,
  FakeClientOptions,
  fakeClient,
  Interceptors,
  MessageDelays,
  Permutation,
  PermuteOptions,
  permute,
  startApiServer,
  VirtualClock,
  VirtualClockOptions,
} from '../../src/cluster/index.ts';
import type {DynamicClient, KubeObject, Wire} from '../../src/kube/index.ts';
import type {Client, Kind, ObjectKey} from '../../src/runtime/index.ts';
import type {Arity, Names} from './type-checks.ts';

expectTypeOf<keyof VirtualClock>().toEqualTypeOf<
  Names<'seed expired now date random after sleep until stop'>
>();
expectTypeOf<keyof ApiServer>().toEqualTypeOf<
  Names<'url token userToken ca kubeconfig transport client transportAs eventLog install stop'>
>();
expectTypeOf<keyof ApiServerOptions>().toEqualTypeOf<
  Names<'definitions existing child shop clock delays seed port controllers'>
>();
expectTypeOf<Definition>().extract<string>().toEqualTypeOf<string>();
expectTypeOf<keyof FakeClientOptions>().toEqualTypeOf<
  Names<'definitions interceptors seed now fieldOwner'>
>();
expectTypeOf<keyof Interceptors>().toEqualTypeOf<
  Names<'get list create update patch apply delete deleteAllOf subResource'>
>();
expectTypeOf<keyof MessageDelays>().toEqualTypeOf<Names<'min max'>>();
expectTypeOf<keyof Permutation>().toEqualTypeOf<Names<'server clock seed'>>();
expectTypeOf<keyof PermuteOptions>().toEqualTypeOf<Names<'runs seed limit controllers definitions'>>();
expectTypeOf<keyof VirtualClockOptions>().toEqualTypeOf<Names<'seed epoch limit'>>();
expectTypeOf<Arity<typeof fakeClient>>().toEqualTypeOf<0 | 1 | 2>();
expectTypeOf<Arity<typeof permute>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof startApiServer>>().toEqualTypeOf<0 | 1>();

// What the members are.
expectTypeOf<ReturnType<typeof startApiServer>>().toEqualTypeOf<Promise<ApiServer>>();
expectTypeOf<ApiServer['url' | 'token' | 'userToken' | 'ca' | 'kubeconfig']>().toEqualTypeOf<string>();
expectTypeOf<ApiServer['transport']>().toEqualTypeOf<Wire>();
expectTypeOf<ApiServer['client']>().toEqualTypeOf<DynamicClient>();
expectTypeOf<ApiServer['transportAs']>().toEqualTypeOf<(token: string) => Wire>();
expectTypeOf<ApiServer['eventLog']>().toEqualTypeOf<readonly string[]>();
expectTypeOf<ApiServer['install']>().toEqualTypeOf<(...definitions: Definition[]) => Promise<void>>();
expectTypeOf<ApiServer['stop']>().toEqualTypeOf<() => Promise<void>>();
expectTypeOf<ApiServerOptions['definitions']>().toEqualTypeOf<readonly Definition[] | undefined>();
expectTypeOf<ApiServerOptions['controllers' | 'child' | 'shop']>().toEqualTypeOf<boolean | undefined>();
expectTypeOf<ApiServerOptions['seed' | 'port']>().toEqualTypeOf<number | undefined>();
expectTypeOf<ApiServerOptions['clock']>().toEqualTypeOf<VirtualClock | undefined>();
expectTypeOf<ApiServerOptions['delays']>().toEqualTypeOf<MessageDelays | undefined>();
expectTypeOf<ReturnType<typeof fakeClient>>().toEqualTypeOf<Promise<Client>>();
expectTypeOf<Parameters<typeof fakeClient>[0]>().toEqualTypeOf<readonly KubeObject[] | undefined>();
expectTypeOf<FakeClientOptions['interceptors']>().toEqualTypeOf<Interceptors | undefined>();
expectTypeOf<FakeClientOptions['now']>().toEqualTypeOf<(() => number) | undefined>();
expectTypeOf<FakeClientOptions['fieldOwner']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Parameters<NonNullable<Interceptors['get']>>[0]>().toEqualTypeOf<Client>();
expectTypeOf<Parameters<NonNullable<Interceptors['get']>>[1]>().toEqualTypeOf<Kind>();
expectTypeOf<Parameters<NonNullable<Interceptors['get']>>[2]>().toEqualTypeOf<ObjectKey>();
expectTypeOf<Parameters<NonNullable<Interceptors['create']>>[1]>().toEqualTypeOf<KubeObject>();
expectTypeOf<ReturnType<NonNullable<Interceptors['delete']>>>().toEqualTypeOf<Promise<void>>();
expectTypeOf<Permutation>().toEqualTypeOf<{server: ApiServer; clock: VirtualClock; seed: number}>();
expectTypeOf<Parameters<typeof permute>[0]>().toEqualTypeOf<(run: Permutation) => Promise<void>>();
expectTypeOf<ReturnType<typeof permute>>().toEqualTypeOf<Promise<void>>();
expectTypeOf<VirtualClock['sleep']>().toEqualTypeOf<(ms: number) => Promise<void>>();
expectTypeOf<VirtualClock['until']>().toEqualTypeOf<
  (holds: () => boolean | Promise<boolean>) => Promise<void>
>();
expectTypeOf<VirtualClock['expired']>().toEqualTypeOf<Promise<never>>();
expectTypeOf<VirtualClock['after']>().toEqualTypeOf<(ms: number, run: () => void) => () => void>();

declare const start: typeof startApiServer;
declare const fake: typeof fakeClient;
declare const permuted: typeof permute;
// @ts-expect-error: the option is definitions
void start({definition: []});
// @ts-expect-error: an API server is on or off
void start({controllers: 'none'});
// @ts-expect-error: an object has metadata
void fake([{apiVersion: 'v1', kind: 'ConfigMap'}]);
// @ts-expect-error: the interceptor is get
void fake([], {interceptors: {gett: () => {}}});
// @ts-expect-error: the option is runs
void permuted(async () => {}, {run: 3});
// @ts-expect-error: the test returns a promise
void permuted(() => {});
