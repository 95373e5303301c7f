// Label selectors as Kubernetes has them, for the helper `matches`.

interface FormulaSelectorExpression {
  key?: string;
  operator?: string;
  values?: string[];
}

/** A test of labels. Throws for an operator that Kubernetes does not have. */
export function toLabelTest(selector: unknown): (labels: unknown) => boolean {
  if (typeof selector !== 'object' || selector === null)
    return () => selector === undefined || selector === null;
  const {matchLabels, matchExpressions} = selector as {matchLabels?: unknown; matchExpressions?: unknown};
  const isStructured = typeof matchLabels === 'object' || Array.isArray(matchExpressions);
  const wanted = Object.entries((isStructured ? (matchLabels ?? {}) : selector) as Record<string, string>);
  const expressions = Array.isArray(matchExpressions)
    ? (matchExpressions as FormulaSelectorExpression[])
    : [];
  return labels => {
    const own = (typeof labels === 'object' && labels !== null ? labels : {}) as Record<string, string>;
    return (
      wanted.every(([key, value]) => Object.hasOwn(own, key) && own[key] === value) &&
      expressions.every(expression => matchesExpression(expression, own))
    );
  };
}

function matchesExpression(
  {key = '', operator, values = []}: FormulaSelectorExpression,
  labels: Record<string, string>,
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
