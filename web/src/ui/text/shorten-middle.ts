// Shortens keys in the middle, because the end tells Pods apart.

/** `checkout-7c9d4b9f6-x2x8k` at 16 becomes `checkout-…-x2x8k`. */
export function shortenMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const dash = text.lastIndexOf('-');
  const tail =
    dash > 0 && text.length - dash <= longest / 2 ? text.slice(dash) : text.slice(-Math.floor(longest / 2));
  const head = text.slice(0, Math.max(1, longest - tail.length - 1));
  return `${head}…${tail}`;
}
