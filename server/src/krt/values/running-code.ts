// The user code that the engine is calling, and what that code may create.

/** A collection or a folder watch. It ends with the run that made it. */
export interface RunResource {
  /** The run that made it is under way, and may wait for it. */
  inMaking: boolean;
  end(): void;
}

/** User code that is under way: a formula, a merge or a map. */
export interface RunningCode {
  /** The code read a collection without a fetch. */
  bypassed(collection: {readonly name: string}): void;
  /** The code created a collection, or watches a folder. */
  created(made: RunResource): void;
  toString(): string;
}

/**
 * Any other function of the user's: a key, labels, an equality, an index, a filter. Its reads are not recorded and break
 * no rule. Its writes are refused, because a batch is being settled.
 */
export const CALLBACK_CODE: RunningCode = {
  bypassed() {},
  created() {},
  toString: () => 'a function that the engine asked, for a key, an attribute, an index or an equality',
};
