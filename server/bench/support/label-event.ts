// Which Pods change in a prepared watch stream, and the text of a Pod whose label has changed.

export interface EventOrder {
  /** The number of the first event. */
  first: number;
  count: number;
  /** Events a second. */
  rate: number;
  /** Pods that pages show. One of `shownEvery` events is about them, in turn. */
  shown: readonly string[];
  shownEvery: number;
}

/** The Pod of each event. The others take turns too, far from each other in the list. */
export function eventOrder(
  {shown, shownEvery}: EventOrder,
  keys: readonly string[],
): (n: number) => {key: string; isShown: boolean} {
  const hidden = new Set(shown);
  const others = keys.filter(key => !hidden.has(key));
  // A step without a common factor reaches all.
  const step = others.length % 7919 === 0 ? 7927 : 7919;
  return n =>
    n % shownEvery === 0
      ? {key: shown[(n / shownEvery) % shown.length] as string, isShown: true}
      : {key: others[(n * step) % others.length] as string, isShown: false};
}

/** The label that changes. */
export const LABEL = 'bench';

/** As kubectl label would leave it: the label, the version and the label's manager change. */
export function labelEvent(text: string, {label, version}: {label: string; version: number}): string {
  const time = new Date().toISOString().slice(0, 19);
  const entry = `{"manager":"kubectl-label","operation":"Update","apiVersion":"v1","time":"${time}Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{"f:${LABEL}":{}}}}}`;
  return text
    .replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${version}"`)
    .replace(/"labels":\{(?:"bench":"tick-\d+",)?/, `"labels":{"${LABEL}":"${label}",`)
    .replace(
      /"managedFields":\[(?:\{"manager":"kubectl-label","operation":"Update","apiVersion":"v1","time":"[^"]*","fieldsType":"FieldsV1","fieldsV1":\{"f:metadata":\{"f:labels":\{"f:bench":\{\}\}\}\}\},?)?/,
      `"managedFields":[${entry},`,
    );
}
