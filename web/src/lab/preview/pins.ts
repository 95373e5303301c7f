// Compares a preview with the pinned rows, which hold expected results. Pure.
import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import type {PinnedRow} from '../draft/drafts.ts';

export type PinVerdict = 'holds' | 'differs' | 'fails' | 'gone' | 'unknown';

export interface PinResult {
  pin: PinnedRow;
  verdict: PinVerdict;
  now: unknown[] | undefined;
}

export function checkPins(
  pins: readonly PinnedRow[],
  rows: ReadonlyMap<string, PreviewRow>,
  whole: boolean,
): PinResult[] {
  return pins.map(pin => {
    const row = rows.get(pin.input);
    if (row === undefined) return {pin, verdict: whole ? 'gone' : 'unknown', now: undefined};
    if (row.error !== undefined) return {pin, verdict: 'fails', now: undefined};
    return {pin, verdict: isSameJson(pin.items, row.items) ? 'holds' : 'differs', now: row.items};
  });
}

export function pinRow(pins: readonly PinnedRow[], row: PreviewRow): PinnedRow[] {
  return [...pins.filter(pin => pin.input !== row.input), {input: row.input, items: row.items}];
}

/** Compares JSON values. The order of fields does not matter. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.keys(a), Object.keys(b)];
  if (left.length !== right.length) return false;
  return left.every(name => name in b && isSameJson(a[name as keyof typeof a], b[name as keyof typeof b]));
}
