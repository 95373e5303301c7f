// What a recipe is: a formula with a title, and the kinds that it needs beside those every cluster has.
export interface Recipe {
  /** The name that its draft begins with. */
  name: string;
  title: string;
  words: string;
  kind: 'one' | 'many' | 'singleton';
  input?: string;
  /** Resources that must be sources first, as `--source` takes them. */
  sources?: readonly string[];
  code: string;
}
