// Times as Go reads and prints them: metav1.Time in whole seconds, MicroTime with six digits.

const LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
const PATTERN = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/;

const MICRO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}(Z|[+-]\d{2}:\d{2})$/;

/** The canonical text; undefined for an empty time. Throws Go's error text for an invalid one. */
export function canonicalTime(text: string, micro: boolean): string | undefined {
  if (text === '') {
    throw new Error(
      `parsing time "" as ${JSON.stringify(micro ? MICRO_LAYOUT : LAYOUT)}: cannot parse "" as "2006"`,
    );
  }
  if (micro && !MICRO.test(text)) throw refusal(text, MICRO_LAYOUT);
  const match = PATTERN.exec(text);
  const time = match ? Date.parse(`${match[1]}T${match[2]}${match[4]}`) : Number.NaN;
  if (!match || Number.isNaN(time)) throw refusal(text, micro ? MICRO_LAYOUT : LAYOUT);
  const seconds = new Date(time).toISOString().slice(0, 19);
  if (!micro) return `${seconds}Z`;
  const fraction = (match[3] ?? '').slice(0, 6).padEnd(6, '0');
  return `${seconds}.${fraction}Z`;
}

function refusal(text: string, layout: string): Error {
  const steps: [RegExp, string][] = [
    [/^\d{4}/, '2006'],
    [/^-/, '-'],
    [/^\d{2}/, '01'],
    [/^-/, '-'],
    [/^\d{2}/, '02'],
    [/^T/, 'T'],
    [/^\d{2}/, '15'],
    [/^:/, ':'],
    [/^\d{2}/, '04'],
    [/^:/, ':'],
    ...(layout === LAYOUT
      ? ([[/^\d{2}([.,]\d+)?/, '05']] as [RegExp, string][])
      : ([
          [/^\d{2}/, '05'],
          [/^\.\d{6}/, '.000000'],
        ] as [RegExp, string][])),
    [/^(Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
  ];
  let rest = text;
  for (const [pattern, word] of steps) {
    const found = pattern.exec(rest);
    if (!found)
      return new Error(
        `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(word)}`,
      );
    rest = rest.slice(found[0].length);
  }
  if (rest !== '')
    return new Error(`parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(rest)}`);
  return new Error(`parsing time ${JSON.stringify(text)}: day out of range`);
}
