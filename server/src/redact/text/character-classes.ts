// Tells random words from words that people write, by their letters alone.

/** How often neighbours are of another class (small, capital, digit): 0.6 in random text, 0.3 in words written together. */
export function changesOfClass(value: string): number {
  const classes = value.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  let changes = 0;
  for (let at = 1; at < classes.length; at += 1) if (classes[at] !== classes[at - 1]) changes += 1;
  return changes / classes.length;
}

/** Long, with letters of both cases and digits, and not a path, a host or a digest in hex. */
export function isRandom(value: string): boolean {
  return (
    /^(?=.*\d)(?=.*[a-z].*[a-z])(?=.*[A-Z].*[A-Z])[\w+/=-]{16,}$/.test(value) &&
    !/^[\da-fA-F-]+$/.test(value) &&
    (/^(?:\D*\d){3}/.test(value) || changesOfClass(value) >= 0.4)
  );
}
