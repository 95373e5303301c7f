// What a lookup asked for and what came nearest, in words of Kubernetes: selectors, labels, namespaces, names.
import {singularOf} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {EvidenceClause, SentencePart} from '@krtscope/shared/why.ts';
import type {Clause} from '../../krt/index.ts';
import {labelSidesOf, NOT_SET, withoutEquals} from '../evidence/label-sides.ts';
import {cause, code, say} from './say.ts';
import {fetchWords, listWords} from './value-words.ts';

/** A fetch, and the object whose formula made it. */
export interface Lookup {
  readonly collection: string;
  readonly filter: string;
  readonly clauses: readonly Clause[];
  readonly by: ItemRef;
  /** The row of that formula. */
  readonly row: ItemRef;
  /** The object's own selector is what the fetch asks for. */
  readonly isSelector: boolean;
}

function pairWords(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** One side of a label: `app=web`, or `no label app`. */
function labelWords(label: string, value: string | undefined): string {
  return value === undefined ? `no label ${label}` : `${label}=${value}`;
}

/** Why an object does not answer a lookup, where no label decides it: "it looks in namespace a, and Pod b is in c". */
function otherMismatchParts({collection}: Lookup, object: ItemRef, failing: EvidenceClause): SentencePart[] {
  const has = failing.new ?? failing.old ?? NOT_SET;
  const wants = withoutEquals(failing.wants);
  if (failing.clause === 'metadata.namespace')
    return say`it looks in namespace ${code(wants)}, and ${cause(object)} is in ${code(has, 'error')}`;
  if (failing.clause === 'key') return say`it reads ${singularOf(collection)} ${code(wants)}`;
  if (failing.clause === 'selector') return say`${cause(object)} has an empty selector`;
  if (failing.wants === 'true')
    return say`its filter ${code(failing.clause)} does not accept ${cause(object)}`;
  return say`it looks for ${code(`${failing.clause} ${wants}`)}, and ${cause(object)} has ${code(has, 'error')}`;
}

/** "Service a does not select Pod b: it selects app=x, and Pod b has app=y". */
export function notFoundParts(
  lookup: Lookup,
  object: ItemRef,
  failing: EvidenceClause | undefined,
): SentencePart[] {
  const {by, row, isSelector} = lookup;
  if (failing === undefined)
    return say`${row} asked ${code(fetchWords(lookup.collection, lookup.filter))} and did not find ${cause(object)}`;
  const sides = labelSidesOf(failing);
  if (sides === undefined)
    return say`${row} does not read ${cause(object)}: ${otherMismatchParts(lookup, object, failing)}`;
  const wanted = code(labelWords(sides.label, sides.wanted));
  const has = code(labelWords(sides.label, sides.has), 'error');
  if (failing.clause.startsWith('selector.'))
    return say`${cause(object)} does not select ${by}: it selects ${wanted}, and ${by} has ${has}`;
  return isSelector
    ? say`${by} does not select ${cause(object)}: it selects ${wanted}, and ${cause(object)} has ${has}`
    : say`${row} does not find ${cause(object)}: it looks for ${wanted}, and ${cause(object)} has ${has}`;
}

/** A lookup without a result, as a conclusion: "no Service selects Pod shop/x", "no Pod in namespace shop has app=a". */
function nothingFoundParts({collection, filter, clauses, by, isSelector}: Lookup): SentencePart[] {
  const kind = singularOf(collection);
  const keys = clauses.find(clause => clause.kind === 'keys');
  if (keys?.kind === 'keys' && clauses.length === 1 && keys.keys.length > 0)
    return say`${kind} ${code(listWords(keys.keys, 3))} does not exist`;
  if (clauses.some(({kind: of}) => of === 'index' || of === 'generic' || of === 'keys'))
    return say`${code(fetchWords(collection, filter))} found nothing`;
  if (clauses.some(({kind: of}) => of === 'selects')) return say`no ${kind} selects ${by}`;
  if (isSelector) return say`${by} selects no ${kind}`;
  const namespace = clauses.find(clause => clause.kind === 'namespace');
  const where = namespace?.kind === 'namespace' ? ` in namespace ${namespace.namespace}` : '';
  const labels = clauses.find(clause => clause.kind === 'labels');
  return labels?.kind === 'labels'
    ? say`no ${kind}${where} has ${code(pairWords(labels.labels))}`
    : say`there is no ${kind}${where}`;
}

/** The object that came nearest to a lookup without a result. */
export interface NearestObject extends ItemRef {
  readonly failing: EvidenceClause | undefined;
}

/** ", which is in namespace b". */
function nearestNoteParts(failing: EvidenceClause): SentencePart[] | undefined {
  const has = failing.new ?? failing.old;
  if (has === undefined || failing.wants === 'true') return undefined;
  return failing.clause === 'metadata.namespace'
    ? say`, which is in namespace ${code(has, 'error')}`
    : say`, which has ${code(`${failing.clause} ${has}`, 'error')}`;
}

/** The conclusion and its evidence: "no Service selects Pod a: it has app=x, and Service b selects app=y". */
export function missedParts(lookup: Lookup, nearest: NearestObject | undefined): SentencePart[] {
  const nothing = nothingFoundParts(lookup);
  if (nearest === undefined || lookup.clauses.some(({kind}) => kind === 'keys')) return nothing;
  const {failing} = nearest;
  if (failing === undefined) return say`${nothing}: ${cause(nearest)} does not exist any more`;
  const sides = labelSidesOf(failing);
  if (sides === undefined)
    return say`${nothing}; the nearest is ${cause(nearest)}${nearestNoteParts(failing)}`;
  const wanted = code(labelWords(sides.label, sides.wanted));
  const has = code(labelWords(sides.label, sides.has), 'error');
  if (failing.clause.startsWith('selector.'))
    return say`${nothing}: it has ${has}, and ${cause(nearest)} selects ${wanted}`;
  return lookup.isSelector
    ? say`${nothing}: it selects ${wanted}, and ${cause(nearest)} has ${has}`
    : say`${nothing}; the nearest is ${cause(nearest)}, which has ${has}`;
}
