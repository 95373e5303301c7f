// Reports over the channel between a forked process and its parent. The demo's cluster process uses it.

import type {ToProgram} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import type {ReportChannel, ReportConnectionEvents} from './report-connection.ts';

/** A message as JSON text, in both directions. */
export interface ProgramEnvelope {
  type: 'program';
  text: string;
}

type ForkedProcess = Pick<NodeJS.Process, 'send' | 'connected' | 'on' | 'off'>;

/** A value for ProgramOptions.channel. It ends with the channel of the process. */
export function processChannel(
  own: ForkedProcess = process,
): (events: ReportConnectionEvents) => ReportChannel {
  return events => {
    let unsent = 0;
    const onMessage = (message: unknown): void => {
      const {type, text} = message as Partial<ProgramEnvelope>;
      if (type === 'program' && text !== undefined) events.onMessage(JSON.parse(text) as ToProgram);
    };
    const end = (): void => {
      own.off('message', onMessage);
      own.off('disconnect', end);
      events.onClose();
    };
    own.on('message', onMessage);
    own.on('disconnect', end);
    setImmediate(() => events.onOpen());
    return {
      get unsent() {
        return unsent;
      },
      send: text => {
        if (!own.connected || unsent + text.length > programLimits.unsentBytes) return false;
        unsent += text.length;
        own.send?.({type: 'program', text} satisfies ProgramEnvelope, () => {
          unsent -= text.length;
        });
        return true;
      },
      welcomed: () => {},
      reject: end,
      end,
    };
  };
}
