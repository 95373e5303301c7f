// Limits the time to wait for the engine process.

/** An engine process that is silent for this long is not ready. Kubernetes probes wait for one second by default. */
export const ENGINE_TIMEOUT_MS = 800;

export async function withEngineTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the engine process has not answered for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}
