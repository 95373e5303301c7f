// What if on a recording, without a server: opens the file in this process and closes it afterwards.
import {readFile} from 'node:fs/promises';
import {basename} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import {
  type WhatIf,
  type WhatIfRequest,
  type WhatIfRequestInput,
  whatIfRequestSchema,
} from '@krtscope/shared/what-if/what-if.ts';
import {openRecording} from '../engine/supervisor/start-engine.ts';
import {readRedactionPolicy} from '../redact/policy-file.ts';
import {makeRedactor} from '../redact/redactor.ts';
import {RecordingFeed} from '../session/recording-feed.ts';
import {WhatIfService} from '../session/what-if/what-if-service.ts';

const MEMORY_MB = 4096;

export interface OpenedRecording {
  graph(): Promise<Graph>;
  answer(request: WhatIfRequestInput): Promise<WhatIf>;
  close(): Promise<void>;
}

/** Rejects if the file cannot be read. */
export async function openRecordingForWhatIf(
  file: string,
  trustsFormulas: boolean,
  policyFile?: string,
): Promise<OpenedRecording> {
  const name = basename(file);
  const policy = policyFile ? readRedactionPolicy(policyFile) : undefined;
  const engine = await openRecording(await readFile(file), {name, memoryMb: MEMORY_MB});
  const service = new WhatIfService({
    name,
    engine,
    feed: new RecordingFeed(engine.session),
    redact: engine.redacted ? makeRedactor(undefined, policy) : undefined,
    memoryMb: MEMORY_MB,
    trustsFormulas,
    log: () => {},
  });
  return {
    graph: async () => (await engine.ask({ask: 'graph'})) as Graph,
    answer: request => service.answer(parseRequest(request)),
    close: async () => {
      await service.stop();
      await engine.stop();
    },
  };
}

function parseRequest(request: WhatIfRequestInput): WhatIfRequest {
  const read = whatIfRequestSchema.safeParse(request);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`${issue?.path.join('.') || 'the edits'}: ${issue?.message ?? 'cannot be read'}`);
}
