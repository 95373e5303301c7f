// Kubernetes label selectors against labels: the one place that decides whether labels match.

/** One requirement of a selector, in the words of `matchExpressions`. Selectors as text also have Gt and Lt. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[] | undefined;
}

/** The LabelSelector of a Deployment, a PodDisruptionBudget and others. */
export interface SelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | null | undefined;
  readonly matchExpressions?: readonly {key?: string; operator?: string; values?: string[]}[] | null;
}

type LabelMap = Readonly<Record<string, unknown>>;

/** Whether the labels have every wanted value. An empty map matches everything. */
export function matchesLabelMap(wanted: Readonly<Record<string, string>>, labels: LabelMap = {}): boolean {
  // Own labels only: every object inherits a `constructor`.
  for (const key of Object.keys(wanted))
    if (!Object.hasOwn(labels, key) || labels[key] !== wanted[key]) return false;
  return true;
}

/** Whether labels meet every requirement. A missing label meets NotIn, as in kubectl. */
export function meetsRequirements(requirements: readonly LabelRequirement[], labels: LabelMap = {}): boolean {
  return requirements.every(({key, operator, values = []}) => {
    if (operator !== 'Gt' && operator !== 'Lt') return meetsExpression({key, operator, values}, labels);
    const difference = Object.hasOwn(labels, key) ? integer(labels[key]) - integer(values[0]) : Number.NaN;
    return operator === 'Gt' ? difference > 0 : difference < 0;
  });
}

const integer = (text: unknown): number => (/^[+-]?\d+$/.test(String(text)) ? Number(text) : Number.NaN);

/** Whether labels match a LabelSelector. An empty one matches everything. Throws for an unknown operator. */
export function matchesSelector(selector: SelectorObject, labels: LabelMap = {}): boolean {
  return (
    matchesLabelMap(selector.matchLabels ?? {}, labels) &&
    (selector.matchExpressions ?? []).every(expression => meetsExpression(expression, labels))
  );
}

function meetsExpression(
  {key = '', operator, values = []}: {key?: string; operator?: string; values?: readonly string[]},
  labels: LabelMap,
): boolean {
  const has = Object.hasOwn(labels, key);
  switch (operator) {
    case 'Exists':
      return has;
    case 'DoesNotExist':
      return !has;
    case 'In':
      return has && values.includes(labels[key] as string);
    case 'NotIn':
      return !has || !values.includes(labels[key] as string);
    default:
      throw new TypeError(
        `a selector has the operators In, NotIn, Exists and DoesNotExist, not "${operator}"`,
      );
  }
}

/** The parts of a LabelSelector as kubectl writes them, such as `app=web` and `tier in (a,b)`. */
export function selectorParts({matchLabels, matchExpressions}: SelectorObject): string[] {
  return [
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(matchExpressions ?? []).map(expressionText),
  ];
}

export function expressionText({
  key = '',
  operator,
  values = [],
}: {
  key?: string;
  operator?: string;
  values?: readonly string[];
}): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
}
