// Orders changed paths where several differ: those that a formula reads first, then those that people write.
import type {PathChange} from '@krtscope/shared/why.ts';

function rankOf({path, needed, read}: PathChange): number {
  // The paths that made the difference keep their order.
  if (needed === true) return -1000;
  let rank = path.length / 100;
  if (read === true) rank -= 100;
  if (read === false) rank += 30;
  if (/(^|\.)labels(\[|\.)/.test(path)) rank -= 20;
  else if (path.startsWith('spec')) rank -= 10;
  else if (/annotations/.test(path)) rank += 10;
  if (/time(stamp)?$|probe|heartbeat|observedGeneration/i.test(path)) rank += 40;
  return rank;
}

/** Of a computed row a field of its own says more than a label that it copies from its object. */
export function rankRowChanges(changes: readonly PathChange[]): PathChange[] {
  const isCopied = ({path}: PathChange): number =>
    /^(metadata\.)?(labels|annotations)\b/.test(path) ? 1 : 0;
  return rankChanges(changes).sort((a, b) => isCopied(a) - isCopied(b));
}

export function rankChanges(changes: readonly PathChange[]): PathChange[] {
  return [...changes].sort((a, b) => rankOf(a) - rankOf(b));
}
