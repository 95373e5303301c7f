// Writes equal values as equal text. Values from records may have their fields in another order.

export function stableTextOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      const fields = Object.entries(inner);
      return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ''
  );
}
