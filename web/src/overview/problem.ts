// A problem's identity, where its evidence is, and its text for an issue. Pure.
import type {Check} from '@krtscope/shared/checks.ts';
import type {Place} from '../store/place.ts';

/** The same problem keeps its place while its count and age change. */
export function problemId(check: Check): string {
  return `${check.code} ${check.collection} ${check.keys[0] ?? ''}`;
}

export interface Folded {
  check: Check;
  /** The same finding about other items of the same collection. */
  alike: Check[];
}

/** Three findings of one kind in one collection are one problem: twenty rows of it would hide the others. */
export function foldAlike(checks: readonly Check[]): Folded[] {
  const kinds = Map.groupBy(checks, check => `${check.code} ${check.collection}`);
  return checks.flatMap((check): Folded[] => {
    const same = kinds.get(`${check.code} ${check.collection}`)!;
    if (same.length < 3) return [{check, alike: []}];
    return same[0] === check ? [{check, alike: same.slice(1)}] : [];
  });
}

/** Whether a problem is about this namespace; one about a whole collection concerns them all. */
export function concerns(check: Check, namespace: string | null): boolean {
  if (namespace === null || check.keys.length === 0) return true;
  return check.keys.some(key => !key.includes('/') || key.startsWith(`${namespace}/`));
}

/** Why not for a pair, Why for an item that ran, the sheet's rows otherwise. */
export function evidencePlace(check: Check): Partial<Place> {
  const item = check.evidence?.item;
  const expected = check.evidence?.expected;
  if (item !== undefined && expected !== undefined) {
    return {
      view: 'why-not',
      collection: item.collection,
      key: item.key,
      params: {expected: `${expected.collection}/${expected.key}`},
    };
  }
  if (item !== undefined) return {view: 'why', collection: item.collection, key: item.key};
  return {view: 'sheet', collection: check.collection, key: check.keys[0] ?? null};
}

export function issueText(check: Check): string {
  const lines = [`### ${check.title}`, '', check.message, '', `- collection: ${check.collection}`];
  if (check.keys.length > 0) lines.push(`- items: ${check.keys.map(key => `\`${key}\``).join(', ')}`);
  lines.push(`- check: ${check.code}, ${check.severity}, seen ${check.count}×, at @${check.sequence}`);
  if (check.hint) lines.push('', '```', check.hint, '```');
  return `${lines.join('\n')}\n`;
}
