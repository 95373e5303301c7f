// What each part of a query says to an item, for a debugger that explains a fetch.

import type {Clause} from '../values/clause.ts';
import {errorText} from '../values/error-text.ts';
import {refusePromise} from '../values/thenable.ts';
import {isSelected, type QueryNode} from './query-node.ts';

export interface ClauseResult {
  clause: Clause;
  matches: boolean;
  /** The value that the clause examines: key, namespace, labels, selector or index keys. */
  found: unknown;
  error?: string;
}

/** Tests an item with each part of a query. A part that throws does not match. */
export function testClauses(node: QueryNode, item: unknown, key: string | undefined): ClauseResult[] {
  return node.clauses.map(clause => {
    try {
      return {clause, ...testClause(node, clause, item, key)};
    } catch (error) {
      const text = errorText(error);
      return {clause, matches: false, found: undefined, error: text};
    }
  });
}

function testClause(
  node: QueryNode,
  clause: Clause,
  item: unknown,
  key: string | undefined,
): {matches: boolean; found: unknown} {
  const {core, spec} = node;
  const {augment, labels, namespace, selector} = core.accessors;
  const view = augment === null ? item : augment(item);
  switch (clause.kind) {
    case 'all':
      return {matches: true, found: undefined};
    case 'keys': {
      const found = key ?? core.keyOf(item);
      return {matches: clause.keys.includes(found), found};
    }
    case 'namespace': {
      const found = namespace(view);
      return {matches: found === clause.namespace, found};
    }
    case 'labels': {
      const found = refusePromise(labels(view), 'the function for labels');
      return {matches: Object.entries(clause.labels).every(([k, v]) => found[k] === v), found};
    }
    case 'selects': {
      const found = refusePromise(selector(view), 'the function for selector');
      return {matches: isSelected(found, clause.labels, clause.nonEmpty), found};
    }
    case 'index': {
      const found = spec.index?.keysOf(item) ?? [];
      return {matches: found.includes(clause.value), found};
    }
    case 'generic':
      return {
        matches: Boolean(refusePromise(spec.generic?.(view), 'a generic filter')),
        found: undefined,
      };
  }
}
