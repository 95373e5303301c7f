// The channel between a forked process and the one that forked it, as a program's way to krtscope: the demo's cluster
// process reports over it.

import type {ToProgram} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import type {ReportChannel, ReportConnectionEvents} from './report-connection.ts';

/** What crosses it, both ways: a message as JSON text. */
export interface ProgramEnvelope {
  type: 'program';
  text: string;
}

type ForkedProcess = Pick<NodeJS.Process, 'send' | 'connected' | 'on' | 'off'>;

/** For ProgramOptions.channel. Ends with the channel of the process. */
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
