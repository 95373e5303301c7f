// Aligns two similar texts letter by letter, with gaps. Pure.

export interface AlignedLetter {
  wants: string | null;
  has: string | null;
  same: boolean;
}

const MAX_LENGTH = 48;

export function alignLetters(wants: string, has: string): AlignedLetter[] {
  const a = [...wants].slice(0, MAX_LENGTH);
  const b = [...has].slice(0, MAX_LENGTH);
  const cost: number[][] = Array.from({length: a.length + 1}, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length; i >= 0; i--) {
    for (let j = b.length; j >= 0; j--) {
      if (i === a.length) cost[i]![j] = b.length - j;
      else if (j === b.length) cost[i]![j] = a.length - i;
      else
        cost[i]![j] = Math.min(
          cost[i + 1]![j + 1]! + (a[i] === b[j] ? 0 : 1),
          cost[i + 1]![j]! + 1,
          cost[i]![j + 1]! + 1,
        );
    }
  }
  const letters: AlignedLetter[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const here = cost[i]![j]!;
    if (i < a.length && j < b.length && here === cost[i + 1]![j + 1]! + (a[i] === b[j] ? 0 : 1)) {
      letters.push({wants: a[i]!, has: b[j]!, same: a[i] === b[j]});
      i++;
      j++;
    } else if (i < a.length && here === cost[i + 1]![j]! + 1)
      letters.push({wants: a[i++]!, has: null, same: false});
    else letters.push({wants: null, has: b[j++]!, same: false});
  }
  return letters;
}
