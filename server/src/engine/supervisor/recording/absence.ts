// The text of a gap in a recording: the engine process, or all of krtscope, was away.

import {NOT_RUNNING} from '@krtscope/shared/timeline.ts';

export function absenceText(reason: string, milliseconds: number, objects: number): string {
  const replayed = `${objects} objects were replayed.`;
  if (reason === NOT_RUNNING) return `${NOT_RUNNING} for ${durationText(milliseconds)}. ${replayed}`;
  return `The engine process was away for ${milliseconds} ms: ${reason}. ${replayed}`;
}

function durationText(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
