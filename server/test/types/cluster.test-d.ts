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
