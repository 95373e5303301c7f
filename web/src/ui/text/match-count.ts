/** How many objects a fetch found. An index finds without scanning: "0 of 0" would read as an empty cluster. */
export function matchCount({matched, scanned}: {matched: number; scanned: number}): string {
  if (scanned > 0) return `${matched} of ${scanned}`;
  return matched === 0 ? 'no match' : `${matched} found`;
}
