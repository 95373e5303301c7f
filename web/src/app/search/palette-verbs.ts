// Verbs of the palette: "why cart", "compare 5 min ago", "go to 5 min ago". Pure except for `sequenceAt`.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {useApp} from '../../store/app.ts';
import {apiPath, request} from '../../stream/http.ts';
import {serverNow} from '../../stream/server-connection.ts';

/** `why cart` asks why of the items that match `cart`. */
export function whySearch(text: string): string | null {
  return /^\s*why\s+(\S.*)/i.exec(text)?.[1]?.trim() ?? null;
}

const units: Record<string, number> = {s: 1000, m: 60_000, h: 3_600_000};

/** Milliseconds of `5 min`, `90s`, `1 h ago`; null for other texts. */
export function parseAge(text: string): number | null {
  const match = /(\d+)\s*(s|m|h)[a-z]*(\s+ago)?\s*$/i.exec(text);
  const unit = units[match?.[2]?.toLowerCase() ?? ''];
  return match === null || unit === undefined ? null : Number(match[1]) * unit;
}

export function ageWords(milliseconds: number): string {
  if (milliseconds % 3_600_000 === 0) return `${milliseconds / 3_600_000} h ago`;
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000} min ago`;
  return `${milliseconds / 1000} s ago`;
}

/** Ages that the palette offers without a number in the text. */
export const offeredAges = [5 * 60_000, 60_000, 15 * 60_000];

/** The newest batch at that time, or the oldest one that is kept. */
export async function sequenceAt(age: number): Promise<number> {
  const {session} = useApp.getState().route;
  const to = Math.round(serverNow() - age);
  const path = `/timeline?from=${to - 1000}&to=${to}&buckets=1`;
  const {buckets, kept} = await request<Timeline>(apiPath(path, {session}));
  const sequence = buckets.at(-1)?.sequence ?? kept.oldest;
  return Math.max(kept.oldest, Math.min(kept.newest, to < kept.since ? kept.oldest : sequence));
}
