// The nearest miss of a filter: how little is missing, who is right about it, and a command that would make it match.
import type {WireResource} from '@krtscope/shared/graph.ts';
import {parsePath, writePath} from '@krtscope/shared/path.ts';
import type {Evidence, EvidenceClause as Row} from '@krtscope/shared/why.ts';
import {editDistance} from '../evidence/edit-distance.ts';
import {labelsOf} from '../evidence/filter-evaluation.ts';
import {writerOf} from '../evidence/writer.ts';
import type {CollectionFacts, Records} from '../records.ts';
import {isLikelyTypo} from './nearest-match.ts';

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

/** Items of the collection with the same owner, itself left out; looks at one namespace's worth at most. */
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
    if (found.length >= 50) break;
  }
  return found;
}

interface SiblingLabels {
  /** Siblings that carry the wanted value, and those that carry the same as the object itself. */
  readonly agree: number;
  readonly alike: number;
  readonly note?: string;
}

/** Who has to change for the two to match: the labelled object, the one that selects it, or neither. */
function sideToChange(
  wanted: string,
  has: string,
  {agree, alike}: SiblingLabels,
): 'label' | 'selector' | undefined {
  if (agree > 0 && agree >= alike) return 'label';
  // A command to make them match would only harm where nobody can have meant the one and written the other.
  if (has !== 'none' && !isLikelyTypo(wanted, has)) return undefined;
  return alike > 0 ? 'selector' : 'label';
}

/** "3 siblings of ReplicaSet x carry app=catalog; written last by kubectl-edit". */
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
    `${count} ${count === 1 ? 'sibling' : 'siblings'} of ${family} ${count === 1 ? 'carries' : 'carry'} ${text}`;
  const parts: string[] = [];
  if (agree > 0) parts.push(carry(agree, `${label}=${wanted}`));
  else if (alike > 0) parts.push(carry(alike, `${label}=${own}, too`));
  // The last to write the object need not have written this label: nobody is blamed for another's misspelling.
  const path = writePath(['metadata', 'labels', label]);
  const wrote = writer?.paths?.some(p => writePath(parsePath(p)) === path) ?? true;
  if (writer && wrote) parts.push(`written last by ${writer.manager}`);
  return {agree, alike, ...(parts.length > 0 ? {note: parts.join('; ')} : {})};
}

const stripEquals = (wants: string): string => wants.replace(/^= /, '');

/** Plain enough to paste into any shell: names and label values of Kubernetes are, whatever else came in is quoted. */
function shellQuote(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

/** `kubectl -n shop label pod x app=catalog --overwrite`, for an object of a kind that the cluster has. */
export function labelCommand(
  facts: CollectionFacts | undefined,
  key: string,
  label: string,
  value: string,
): string | undefined {
  const resource = facts?.resource;
  if (!resource) return undefined;
  const {where, kind, name} = kubectlNameOf(resource, key);
  return `kubectl ${where}label ${kind} ${name} ${shellQuote(`${label}=${value}`)} --overwrite`;
}

/** An object as kubectl takes it. */
function kubectlNameOf(resource: WireResource, key: string): {where: string; kind: string; name: string} {
  const slash = key.indexOf('/');
  return {
    where: resource.namespaced && slash > 0 ? `-n ${shellQuote(key.slice(0, slash))} ` : '',
    kind: resource.group === '' ? resource.kind.toLowerCase() : `${resource.resource}.${resource.group}`,
    name: shellQuote(key.slice(slash + 1)),
  };
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
  const {where, kind, name} = kubectlNameOf(facts.resource, key);
  return `kubectl ${where}patch ${kind} ${name} --type=merge -p ${shellQuote(JSON.stringify(patch))}`;
}

export interface MismatchEvidence {
  readonly nearest?: NonNullable<Evidence['nearest']>;
  readonly command?: string;
}

interface MismatchSide {
  readonly facts: CollectionFacts | undefined;
  readonly key: string;
}

/** A label and a selector that do not meet. `labelled` carries `has`, `selecting` wants `wants`. */
function labelMismatch(
  records: Records,
  label: string,
  wants: string,
  has: string,
  sides: {labelled: MismatchSide; selecting: MismatchSide},
  at?: number,
): MismatchEvidence {
  const {labelled, selecting} = sides;
  const kin: SiblingLabels = labelled.facts
    ? siblingLabelsOf(records, labelled.facts.name, labelled.key, label, wants, at)
    : {agree: 0, alike: 0};
  const wrong = sideToChange(wants, has, kin);
  const value = selecting.facts && records.value(selecting.facts.name, selecting.key, at);
  const command =
    wrong === 'label'
      ? labelCommand(labelled.facts, labelled.key, label, wants)
      : wrong === 'selector'
        ? selectorCommand(selecting.facts, selecting.key, value, label, {from: wants, to: has})
        : undefined;
  return {
    nearest: {
      wants,
      has,
      distance: editDistance(wants, has),
      ...(kin.note === undefined ? {} : {note: kin.note}),
    },
    ...(command === undefined ? {} : {command}),
  };
}

/** What the failing clause of a fetch was nearest to. `input` is the object whose formula asked. */
export function describeMismatch(
  records: Records,
  failing: Row | undefined,
  expected: {facts: CollectionFacts; key: string},
  input: MismatchSide,
  at?: number,
): MismatchEvidence {
  if (!failing) return {};
  const has = failing.new ?? failing.old ?? 'none';
  const wants = stripEquals(failing.wants);
  const near = (note?: string): MismatchEvidence => ({
    nearest: {wants, has, distance: editDistance(wants, has), ...(note === undefined ? {} : {note})},
  });
  if (failing.clause.startsWith('labels.')) {
    const label = failing.clause.slice('labels.'.length);
    return labelMismatch(records, label, wants, has, {labelled: expected, selecting: input}, at);
  }
  if (failing.clause.startsWith('selector.')) {
    // The expected object selects by a label that the asking one does not carry.
    const label = failing.clause.slice('selector.'.length);
    const offered = failing.wants === 'not asked for' ? 'none' : wants;
    return labelMismatch(records, label, has, offered, {labelled: input, selecting: expected}, at);
  }
  if (failing.clause === 'key' && failing.wants.startsWith('= ')) return near();
  if (failing.clause === 'metadata.namespace') return near('an object cannot be moved to another namespace');
  return {};
}
