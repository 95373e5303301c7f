// How far an object is from matching a filter, which side is wrong, and a command that makes the two match.
import {parsePath, writePath} from '@krtscope/shared/path.ts';
import type {Evidence, EvidenceClause} from '@krtscope/shared/why.ts';
import {editDistance} from '../evidence/edit-distance.ts';
import {labelsOf} from '../evidence/filter-evaluation.ts';
import {labelCommand, mergePatchCommand} from '../evidence/kubectl-command.ts';
import {type LabelSides, labelSidesOf, NOT_SET, withoutEquals} from '../evidence/label-sides.ts';
import {hasController, templateLabelCommand} from '../evidence/owner-template.ts';
import {writerOf} from '../evidence/writer.ts';
import type {CollectionFacts, Records} from '../records.ts';
import {countWords} from '../wording/value-words.ts';
import {isLikelyTypo} from './nearest-match.ts';

const MAX_SIBLINGS = 50;

interface ControllingOwner {
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

function ownerOf(value: unknown): ControllingOwner | undefined {
  const metadata = (value as {metadata?: {ownerReferences?: unknown}} | undefined)?.metadata;
  return Array.isArray(metadata?.ownerReferences)
    ? (metadata.ownerReferences[0] as ControllingOwner)
    : undefined;
}

/** Other items of the collection with the same owner. */
function siblingsOf(
  records: Records,
  collection: string,
  key: string,
  value: unknown,
  at?: number,
): unknown[] {
  const owner = ownerOf(value);
  if (!owner) return [];
  const found: unknown[] = [];
  for (const other of records.keys(collection, at)) {
    if (other === key) continue;
    const sibling = records.value(collection, other, at);
    const theirs = ownerOf(sibling);
    if (theirs && (theirs.uid !== undefined ? theirs.uid === owner.uid : theirs.name === owner.name))
      found.push(sibling);
    if (found.length >= MAX_SIBLINGS) break;
  }
  return found;
}

interface SiblingLabels {
  /** Siblings with the wanted value, and siblings with the value of the object itself. */
  readonly agree: number;
  readonly alike: number;
  readonly note?: string;
}

/** Which side has to change for the two to match: the labelled object, the selecting one, or neither. */
function sideToChange(
  wanted: string | undefined,
  has: string | undefined,
  {agree, alike}: SiblingLabels,
  isOwned: boolean,
): 'label' | 'template' | 'selector' | undefined {
  if (wanted === undefined) return undefined;
  if (agree > 0 && agree >= alike) return 'label';
  // Values that are no typo of each other differ on purpose: a command to make them match would do harm.
  if (has !== undefined && !isLikelyTypo(wanted, has)) return undefined;
  if (alike > 0) return 'selector';
  // A controller replaces its Pods: a label on one of them would not last.
  return isOwned ? 'template' : 'label';
}

/** "3 siblings of ReplicaSet x have app=catalog; last written by kubectl-edit". */
function siblingLabelsOf(
  records: Records,
  collection: string,
  key: string,
  label: string,
  wanted: string,
  at?: number,
): SiblingLabels {
  const value = records.value(collection, key, at);
  const siblings = siblingsOf(records, collection, key, value, at);
  const own = labelsOf(value)[label];
  const agree = siblings.filter(s => labelsOf(s)[label] === wanted).length;
  const alike = own === undefined ? 0 : siblings.filter(s => labelsOf(s)[label] === own).length;
  const owner = ownerOf(value);
  const change = records.lastChange(collection, key, at);
  const writer = change ? writerOf(change) : undefined;
  const family = `${owner?.kind ?? 'owner'} ${owner?.name ?? ''}`;
  const carry = (count: number, text: string): string =>
    `${countWords(count, 'sibling')} of ${family} ${count === 1 ? 'has' : 'have'} ${text}`;
  const parts: string[] = [];
  if (agree > 0) parts.push(carry(agree, `${label}=${wanted}`));
  else if (alike > 0) parts.push(carry(alike, `${label}=${own}, too`));
  // The last writer of the object need not have written this label: name it only if it owns the label.
  const path = writePath(['metadata', 'labels', label]);
  const wrote = writer?.paths?.some(p => writePath(parsePath(p)) === path) ?? true;
  if (writer && wrote) parts.push(`last written by ${writer.manager}`);
  return {agree, alike, ...(parts.length > 0 ? {note: parts.join('; ')} : {})};
}

/** Kinds whose selector cannot be changed once they exist. */
const IMMUTABLE_SELECTOR_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'];

/** The object around a selector that holds this entry: `{spec: {podSelector: {matchLabels: {app: x}}}}`. */
function selectorPatch(value: unknown, label: string, from: string, to: string): object | undefined {
  const spec = (value as {spec?: Record<string, unknown>} | undefined)?.spec;
  for (const name of ['selector', 'podSelector']) {
    const own = spec?.[name] as Record<string, unknown> | undefined;
    if (own?.[label] === from) return {spec: {[name]: {[label]: to}}};
    const inner = own?.matchLabels as Record<string, unknown> | undefined;
    if (inner?.[label] === from) return {spec: {[name]: {matchLabels: {[label]: to}}}};
  }
  return undefined;
}

/** `kubectl -n shop patch service cart --type=merge -p '{…}'`, for an object whose selector is the one that is off. */
function selectorCommand(
  facts: CollectionFacts | undefined,
  key: string,
  value: unknown,
  label: string,
  change: {from: string; to: string},
): string | undefined {
  const patch = selectorPatch(value, label, change.from, change.to);
  if (!facts?.resource || !patch || IMMUTABLE_SELECTOR_KINDS.includes(facts.resource.kind)) return undefined;
  return mergePatchCommand(facts.resource, key, patch);
}

export interface MismatchEvidence {
  readonly nearest?: NonNullable<Evidence['nearest']>;
  readonly command?: string;
}

interface MismatchSide {
  readonly facts: CollectionFacts | undefined;
  readonly key: string;
}

/** How near the two values are. A label that is not set has no distance from any value. */
function nearestOfSides({wanted, has}: LabelSides, note: string | undefined): MismatchEvidence['nearest'] {
  const isBoth = wanted !== undefined && has !== undefined;
  return {
    wants: wanted ?? NOT_SET,
    has: has ?? NOT_SET,
    ...(isBoth ? {distance: editDistance(wanted, has)} : {}),
    ...(note === undefined ? {} : {note}),
  };
}

/** `labelled` carries the label, `selecting` asks for it. */
function labelMismatch(
  records: Records,
  sides: LabelSides,
  {labelled, selecting}: {labelled: MismatchSide; selecting: MismatchSide},
  at?: number,
): MismatchEvidence {
  const {label, wanted, has} = sides;
  const siblings: SiblingLabels =
    labelled.facts && wanted !== undefined
      ? siblingLabelsOf(records, labelled.facts.name, labelled.key, label, wanted, at)
      : {agree: 0, alike: 0};
  const own = labelled.facts && records.value(labelled.facts.name, labelled.key, at);
  const wrong = sideToChange(wanted, has, siblings, hasController(own));
  const value = selecting.facts && records.value(selecting.facts.name, selecting.key, at);
  const changeSelector = (): string | undefined =>
    wanted === undefined || has === undefined
      ? undefined
      : selectorCommand(selecting.facts, selecting.key, value, label, {from: wanted, to: has});
  const commands: Record<'label' | 'template' | 'selector', () => string | undefined> = {
    label: () => labelCommand(labelled.facts, labelled.key, label, wanted ?? ''),
    template: () =>
      templateLabelCommand(records, labelled.key, own, label, wanted ?? '', at) ?? changeSelector(),
    selector: changeSelector,
  };
  const command = wrong === undefined ? undefined : commands[wrong]();
  const nearest = nearestOfSides(sides, siblings.note);
  return command === undefined ? {nearest} : {nearest, command};
}

/** What the failing clause of a fetch was nearest to. `input` is the object whose formula asked. */
export function describeMismatch(
  records: Records,
  failing: EvidenceClause | undefined,
  expected: {facts: CollectionFacts; key: string},
  input: MismatchSide,
  at?: number,
): MismatchEvidence {
  if (!failing) return {};
  const sides = labelSidesOf(failing);
  if (sides) {
    const isLabel = failing.clause.startsWith('labels.');
    const [labelled, selecting] = isLabel ? [expected, input] : [input, expected];
    return labelMismatch(records, sides, {labelled, selecting}, at);
  }
  const wants = withoutEquals(failing.wants);
  const has = failing.new ?? failing.old ?? NOT_SET;
  const distance = editDistance(wants, has);
  if (failing.clause === 'key' && failing.wants.startsWith('= ')) return {nearest: {wants, has, distance}};
  if (failing.clause === 'metadata.namespace')
    return {nearest: {wants, has, distance, note: 'an object cannot be moved to another namespace'}};
  return {};
}
