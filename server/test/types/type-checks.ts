// Types for type tests.

/** The words of a text as a union: `Names<'a b'>` is `'a' | 'b'`. */
export type Names<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Names<Rest>
  : Text;

/** The numbers of arguments that a function takes. A function that returns any fails every comparison. */
export type Arity<Function_> = Function_ extends (
  ...given: infer Arguments extends readonly unknown[]
) => infer Returned
  ? 0 extends 1 & Returned
    ? 'it returns any'
    : Arguments['length']
  : never;
