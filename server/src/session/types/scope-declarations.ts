// TypeScript declarations of a formula's scope, for the Lab's editor and for other editors. docs/formulas.md
// describes the same names.

export const scopeDeclarations = `/** Labels of an object. */
type Labels = {readonly [name: string]: string};

/** A collection that can be fetched from. */
interface Collection<T> {
  readonly name: string;
  readonly ' item'?: T;
}

/** What a fetch selects. Filters of one fetch are ANDed. */
interface Filter<T> {
  readonly ' filter'?: (item: T) => void;
}

interface Context {
  /** All items of a collection that match every filter, by key. The formula runs again when they change. */
  fetch<T>(collection: Collection<T>, ...filters: Filter<NoInfer<T>>[]): readonly T[];
  /** The one item that matches every filter, or undefined. Two matches are an error: narrow the filter. */
  fetchOne<T>(collection: Collection<T>, ...filters: Filter<NoInfer<T>>[]): T | undefined;
  /** The current minute in milliseconds since 1970. The formula runs again when it changes. */
  minute(): number;
  /** Ends this run without a result: the previous result stays. */
  discard(): never;
}

/** The result of a formula. A string is its own key; an object has \`key\`, \`metadata\`, or the input's key. */
type Output = string | number | boolean | object | null | undefined | void;
type One<T> = (ctx: Context, item: T) => Output;
type Many<T> = (ctx: Context, item: T) => readonly Output[] | null | undefined | void;
type Singleton = (ctx: Context) => Output;

/** The item with this key: \`namespace/name\`, or \`name\` where there is no namespace. */
declare function key(key: string): Filter<any>;
/** The items with these keys. */
declare function keys(...keys: (string | Iterable<string>)[]): Filter<any>;
/** The object with this name, in a namespace if it has one. */
declare function name(name: string, namespace?: string): Filter<any>;
/** Items of one namespace. */
declare function namespace(namespace: string): Filter<any>;
/** A selector of Kubernetes, with matchLabels and matchExpressions. */
interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {readonly key: string; readonly operator: string; readonly values?: readonly string[]}[];
}

/** Items whose labels contain all of these, or match a selector with matchLabels and matchExpressions. */
declare function label(labels: Labels | LabelSelector | null | undefined): Filter<any>;
/** Items whose selector these labels satisfy; an empty selector does. */
declare function selects(labels: Labels | null | undefined): Filter<any>;
/** Items whose selector these labels satisfy; an empty selector never does. */
declare function selectsNonEmpty(labels: Labels | null | undefined): Filter<any>;
/** Any test. It scans all items, so add another filter if you can. */
declare function generic<T>(test: (item: T) => unknown): Filter<T>;
/** Items with this value at a path. The engine has one index for each collection and path. */
declare function index<T>(collection: Collection<T>, path: string, value: string | number | boolean | null | undefined): Filter<T>;
/** A collection by its name, for names that are not TypeScript identifiers. */
declare function collection<N extends keyof Items>(name: N): Collection<Items[N]>;

/** The key of an item: its own \`key\`, else \`namespace/name\`. */
declare function keyOf(item: unknown): string;
declare function nameOf(item: unknown): string;
declare function namespaceOf(item: unknown): string;
/** The labels of an object, \`{}\` if it has none. */
declare function labelsOf(item: unknown): Labels;
/** The controller that owns an object. */
declare function ownerOf(item: unknown): {kind: string; name: string} | undefined;
/** Whether the condition Ready is True. */
declare function isReady(item: unknown): boolean;
/** Whether labels satisfy a selector: a plain map, or matchLabels and matchExpressions. An empty one selects all. */
declare function matches(selector: unknown, labels: unknown): boolean;
/** \`250m\`, \`1Gi\`, \`2\` as a number. */
declare function quantity(text: unknown): number;
/** A Kubernetes time in milliseconds since 1970. */
declare function time(text: unknown): number;
declare function groupBy<T>(list: Iterable<T>, by: (item: T) => unknown): Record<string, T[]>;
declare function countBy<T>(list: Iterable<T>, by: (item: T) => unknown): Record<string, number>;
declare function sum<T>(list: Iterable<T>, of?: (item: T) => unknown): number;
declare function unique<T>(list: Iterable<T>): T[];
/** The owner at the top, such as the Deployment of a Pod. Reads ReplicaSets, and Jobs if the code names them. */
declare function rootOwner(item: unknown): {kind: string; name: string} | undefined;
/** A parameter with its default. Its value is edited beside the formula. */
declare function param(name: string, value: number): number;
declare function param(name: string, value: boolean): boolean;
declare function param(name: string, value: string): string;
/** The text inside a base64 text, such as a value of a Secret's data. */
declare function decodeBase64(text: unknown): string;
declare function encodeBase64(text: unknown): string;
/** The certificates of a PEM text, or of its base64 as in a Secret. */
declare function certificates(text: unknown): {
  readonly subject: string;
  readonly issuer: string;
  readonly names: string[];
  readonly notBefore: string;
  readonly notAfter: string;
  readonly serial: string;
}[];
`;
