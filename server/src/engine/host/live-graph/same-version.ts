// Tells whether two objects are the same write.

/** Whether both are the same write: Kubernetes gives every write its own resourceVersion. */
export function isSameVersion(old: unknown, fresh: unknown): boolean {
  const a = versionOf(old);
  return a !== undefined && a === versionOf(fresh);
}

function versionOf(object: unknown): string | undefined {
  const metadata = (object as {metadata?: {uid?: unknown; resourceVersion?: unknown}} | null | undefined)
    ?.metadata;
  const version = metadata?.resourceVersion;
  return typeof version === 'string' && version !== '' ? `${String(metadata?.uid)} ${version}` : undefined;
}
