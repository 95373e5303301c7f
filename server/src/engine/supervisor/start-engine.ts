// Starts an engine process for a graph over a cluster, or for a recording.
import type {EngineHandle, OpenedEngineHandle} from '../link/engine-link.ts';
import type {EngineProcessSettings, OpenRecordingOptions} from './engine-options.ts';
import {Supervisor} from './supervisor.ts';

export function startEngine(options: EngineProcessSettings): EngineHandle {
  return new Supervisor(options);
}

/**
 * Opens the state and history of a `.krtrec` without a cluster. Rejects with an EngineFailure that says what is
 * wrong.
 */
export async function openRecording(
  bytes: Uint8Array,
  {signal, ...options}: OpenRecordingOptions,
): Promise<OpenedEngineHandle> {
  const engine = new Supervisor(
    {...options, historyRuns: 0, historyMb: 0, redacted: true, sources: []},
    Uint8Array.from(bytes),
  );
  const leave = () => void engine.stop();
  signal?.addEventListener('abort', leave, {once: true});
  if (signal?.aborted) leave();
  try {
    await engine.opened;
  } catch (error) {
    await engine.stop();
    throw error;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
  return engine;
}
