// While the engine asks a function of the user's that is no formula: a key, labels, an equality, an index, a filter.

import type {RunningCode} from '../run/run-context.ts';

/** What it reads is nobody's fetch and breaks no promise; what it writes is refused, for a batch is being settled. */
export const CALLBACK_CODE: RunningCode = {
  bypassed() {},
  created() {},
  toString: () => 'a function that the engine asked, for a key, an attribute, an index or an equality',
};
