// Texts and stacks of errors with all their causes, for log lines and the Controllers view.

/** Causes deeper than this are left out, so that circular causes end. */
const deepest = 8;

/** `fetch failed: connect ECONNREFUSED 127.0.0.1:1`. Leaves out a cause whose message its parent already has. */
export function errorText(error: unknown): string {
  let text = '';
  for (const cause of withCauses(error)) {
    const message = messageOf(cause);
    if (message !== '' && !text.includes(message)) text = text === '' ? message : `${text}: ${message}`;
  }
  return text;
}

/** The stack of the error, followed by the stacks of its causes. */
export function errorStack(error: Error): string {
  const [first, ...causes] = withCauses(error).map(one =>
    one instanceof Error ? (one.stack ?? String(one)) : messageOf(one),
  );
  return [first, ...causes.map(stack => `[cause]: ${stack}`)].join('\n');
}

function withCauses(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let cause = error; cause !== undefined && found.length < deepest; cause = causeOf(cause)) {
    if (found.includes(cause)) break;
    found.push(cause);
  }
  return found;
}

function causeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

/** The message of an error, or its code if the message is empty. Other values become JSON. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || String((error as {code?: unknown}).code ?? error.name);
  if (typeof error === 'string') return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}
