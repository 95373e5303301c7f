// An answer in time, or an error that says there was none.

/**
 * An engine process that is silent for this long is not ready, whatever keeps it. Less than a second: that is what a
 * probe of Kubernetes waits for an answer unless it is told otherwise.
 */
export const ENGINE_TIMEOUT_MS = 800;

export async function withEngineTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the engine process has said nothing for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}
