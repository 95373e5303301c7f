// The public names of krtscope/program: arguments, options and values. The compiler is the test.
import {expectTypeOf} from 'vitest';
import type {Collection} from '../../src/krt/index.ts';
import type {KubeObject} from '../../src/kube/index.ts';
import type {collectionOf, InformerCollectionOptions, reportEngine} from '../../src/program/index.ts';
import type {Arity, Names} from './type-checks.ts';

expectTypeOf<keyof InformerCollectionOptions<KubeObject>>().toEqualTypeOf<
  Names<'name labels selector namespace equals augment metadata'>
>();
expectTypeOf<Arity<typeof collectionOf>>().toEqualTypeOf<2 | 3>();
expectTypeOf<ReturnType<typeof collectionOf>>().toEqualTypeOf<Collection<KubeObject>>();
expectTypeOf<ReturnType<typeof collectionOf<KubeObject & {data: {a: string}}>>>().toEqualTypeOf<
  Collection<KubeObject & {data: {a: string}}>
>();
expectTypeOf<Arity<typeof reportEngine>>().toEqualTypeOf<1 | 2>();
