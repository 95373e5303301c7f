// Finds the type of an object from its apiVersion and kind, so that writes are checked against the schema.

import type {BuiltInObjects} from '../../built-in-types/index.ts';
import type {KubeObject} from '../../kube/object.ts';

type BuiltInVersion = keyof BuiltInObjects;

/** The kinds of a built-in API version. */
type KindsOf<A> = A extends BuiltInVersion ? keyof BuiltInObjects[A] : never;

/** The type of the built-in kind K. T if the API version is not built in. */
export type ObjectFor<A, K, T> = [A] extends [BuiltInVersion]
  ? [K] extends [KindsOf<A>]
    ? BuiltInObjects[A][K]
    : {kind: KindsOf<A>}
  : T;

/** Where the compiler infers A and K. The union makes the error of a misspelt kind list the right ones. */
interface Literal<A, K> {
  apiVersion?: A;
  kind?: K | KindsOf<A>;
}

/** Every field is optional, at any depth. Misspelt fields stay errors. */
type DeepPartial<T> = T extends readonly (infer E)[]
  ? DeepPartial<E>[]
  : T extends object
    ? {[F in keyof T]?: DeepPartial<T[F]>}
    : T;

/** An object whose name the server chooses from `generateName`. */
export type Unnamed<T> = T extends {metadata: infer M}
  ? Omit<T, 'metadata'> & {metadata: Omit<M, 'name'> & {name?: string}}
  : T;

/** A whole object, as `update` needs it. */
export type WholeObject<A, K, T> = Literal<A, K> & ObjectFor<A, K, T>;

/** A new object. The server may choose its name. */
export type NewObject<A, K, T> = Literal<A, K> &
  ([A] extends [BuiltInVersion] ? Unnamed<ObjectFor<A, K, T>> : T);

/** The desired fields of an object, as `apply` needs them. */
export type DesiredObject<A, K, T> = Literal<A, K> &
  ([A] extends [BuiltInVersion] ? {metadata: {name: string}} & DeepPartial<ObjectFor<A, K, T>> : T);

/** An object, or only its apiVersion, kind, namespace and name. The kind of a built-in API version must be one of its kinds. */
export type ObjectReference<A, K> = Literal<A, K> &
  KubeObject & {metadata: {name?: string}} & ([A] extends [BuiltInVersion] ? {kind?: KindsOf<A>} : unknown);
