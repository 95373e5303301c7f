// Reads moments from disk in this process: one host for each file that answers for some of them.
import type {Items} from '@krtscope/shared/items.ts';
import type {SegmentFile} from '../../src/archive/recording-reader.ts';
import {HostProcess} from '../recording-fuzz/host-session.ts';

type Steps = Record<string, string>;

/** The label `step` of every Service at each moment, or why it cannot be read. */
export async function readMoments(
  fileAt: (at: number) => SegmentFile,
  moments: readonly number[],
): Promise<Map<number, Steps | Error>> {
  const found = new Map<number, Steps | Error>();
  let open: {file: SegmentFile; host: HostProcess} | undefined;
  for (const at of moments) {
    try {
      if (open === undefined || at < open.file.oldest || at > open.file.newest) {
        const file = fileAt(at);
        open = {file, host: await openHost(file)};
      }
      found.set(at, await stepsAt(open.host, at));
    } catch (error) {
      found.set(at, error as Error);
    }
  }
  return found;
}

function openHost({bytes}: SegmentFile): Promise<HostProcess> {
  return new Promise((resolve, reject) => {
    const host = new HostProcess(message => {
      if (message.type === 'opened') resolve(host);
      if (message.type === 'refused') reject(new Error(message.message));
    }, reject);
    host.host.take({type: 'open', bytes: Uint8Array.from(bytes), memoryMb: 512});
  });
}

async function stepsAt(host: HostProcess, at: number): Promise<Steps> {
  const {items} = await host.ask<Items>({ask: 'items', collection: 'Services', limit: 1000, at});
  return Object.fromEntries(
    items.map(({key, value}) => [key, (value as {metadata: {labels: {step: string}}}).metadata.labels.step]),
  );
}
