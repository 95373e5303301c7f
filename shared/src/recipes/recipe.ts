// A recipe: a formula with a title, and the kinds that it needs besides the built-in ones.
export interface Recipe {
  /** The first name of its draft. */
  name: string;
  title: string;
  words: string;
  kind: 'one' | 'many' | 'singleton';
  input?: string;
  /** Resources that must become sources first, named as for `--source`. */
  sources?: readonly string[];
  code: string;
}
