// Says what of an object would be hidden, and by which rule: for `krtscope redact --check`.
import {type Path, writePath} from '@krtscope/shared/path.ts';
import type {RedactionPolicy} from './redaction-policy.ts';
import {LAST_APPLIED, makeRedactor, SECRET_MAP} from './redactor.ts';
import {hideFlags, hideWord, secretPlaces} from './text/command-line.ts';
import {isJwkSecret, isOpaqueSetting, isUserAndPassword} from './text/opaque-value.ts';
import {isRandomKey, isSecretList, isSecretName} from './text/secret-names.ts';
import {textRules} from './text/secret-text.ts';

export interface HiddenValue {
  path: string;
  /** An id of redaction-rules.ts, or the line of the policy. Several are joined with commas. */
  rule: string;
}

type ReportedNode = Record<string, unknown>;
const isNode = (value: unknown): value is ReportedNode => typeof value === 'object' && value !== null;
const hide = () => 'redacted:00000000';

/** Leaves the object as it is. */
export function reportHidden(object: object, policy?: RedactionPolicy): HiddenValue[] {
  const root = object as ReportedNode;
  const before = structuredClone(root);
  const after = makeRedactor(undefined, policy)(structuredClone(root));
  const byPolicy = new Map<unknown, Map<string, string>>();
  for (const {node, key, rule} of policy?.find(before, before.kind) ?? []) {
    const rules = byPolicy.get(node) ?? new Map<string, string>();
    if (!rules.has(key)) rules.set(key, rule);
    byPolicy.set(node, rules);
  }
  const found: HiddenValue[] = [];
  const open: [before: ReportedNode, after: ReportedNode, path: Path][] = [[before, after, []]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [old, now, path] = next;
    const inside: typeof open = [];
    for (const [name, value] of Object.entries(old)) {
      const place = [...path, Array.isArray(old) ? Number(name) : name];
      if (isNode(value) && isNode(now[name])) inside.push([value, now[name], place]);
      else if (value !== now[name]) {
        const rules = [
          ...builtInRules(before, {place, node: old, name, value}),
          ...(byPolicy.get(old)?.has(name) ? [byPolicy.get(old)?.get(name) as string] : []),
        ];
        found.push({path: writePath(place), rule: rules.join(', ')});
      }
    }
    open.push(...inside.reverse());
  }
  return found;
}

interface ReportedPlace {
  place: Path;
  node: ReportedNode;
  name: string;
  value: unknown;
}

/** The rules that hide this value. A policy may be the only reason. */
function builtInRules(root: ReportedNode, {place, node, name, value}: ReportedPlace): string[] {
  const [first, second] = place;
  const isAnnotation = place.at(-2) === 'annotations';
  if (isAnnotation && name === LAST_APPLIED) return ['last-applied'];
  if (root.kind === 'Secret' && (first === 'data' || first === 'stringData')) return ['secret-data'];
  const isData = root.kind === 'ConfigMap' && (first === 'data' || first === 'binaryData');
  if (isData && isNode(root.metadata) && SECRET_MAP.test(String(root.metadata.name))) return ['secret-map'];
  if (typeof value !== 'string' && name !== 'value') return [];
  const text = String(value);
  if (root.kind === 'Secret' && first === 'metadata' && second === 'annotations' && text.startsWith('{'))
    return ['secret-copy'];
  if (isNamedSecret(isAnnotation || isData, node, name, text, place)) return ['name'];
  if (isJwkSecret(node, name) || isUserAndPassword(name, text)) return ['name'];
  if (name === 'value' && isUserAndPassword(String(node.name), text)) return ['name'];
  if (isSecretList(String(place.at(-2)))) return ['name'];
  if (
    (name === 'value' && isOpaqueSetting(String(node.name ?? node.key), text, true)) ||
    ((isAnnotation || isData) && isOpaqueSetting(name, text, isData))
  )
    return ['issuer'];
  if (Array.isArray(node) && isCommand(place)) {
    const line = node.filter(word => typeof word === 'string').join(' ');
    const previous = typeof node[Number(name) - 1] === 'string' ? (node[Number(name) - 1] as string) : '';
    const isPlaced = secretPlaces(line).some(({from, to}) => text.includes(line.slice(from, to)));
    if (isPlaced || hideWord(text, previous, line, hide) !== undefined || hideFlags(text, hide) !== text)
      return ['flag'];
  }
  return rulesOfText(text);
}

const isCommand = (place: Path) => place.at(-2) === 'command' || place.at(-2) === 'args';

function isNamedSecret(
  isSetting: boolean,
  node: ReportedNode,
  name: string,
  text: string,
  place: Path,
): boolean {
  const list = place.at(-3);
  if (
    name === 'value' &&
    (list === 'env' || list === 'httpHeaders') &&
    isSecretName(String(node.name), 'setting')
  )
    return true;
  const pairName = node.name ?? node.key;
  if (name === 'value' && typeof pairName === 'string' && isSecretName(pairName, 'field')) return true;
  if (isSetting && isSecretName(name, 'setting') && !text.includes('\n')) return true;
  return isSecretName(name, 'field') || isRandomKey(name, text);
}

function rulesOfText(text: string): string[] {
  const rules: string[] = [];
  let rest = text;
  for (const [id, apply] of textRules) {
    const next = apply(rest, hide);
    if (next !== rest) rules.push(id);
    rest = next;
  }
  return rules;
}
