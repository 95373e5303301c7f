// Finds the origin of a finding: the question to ask, and the answer as an incident keeps it.
import type {Check} from '@krtscope/shared/checks.ts';
import type {Incident} from '@krtscope/shared/incidents.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {findOrigin} from '../origin/origin.ts';
import {say} from '../wording/say.ts';

/** Sources that cannot be read: all of them are one incident. */
const sourceCodes = new Set(['unreachable', 'unauthorized', 'forbidden', 'stale', 'not-synced', 'watch-gap']);

export function isSourceFailure({code}: {readonly code: string}): boolean {
  return sourceCodes.has(code);
}

type OriginQuestion = NonNullable<Incident['origin']['asked']>;
type OriginQuestionBuilder = (check: Check, key: string, value: (of: string) => unknown) => OriginQuestion;

/** The question that shows the finding, by its code; the key is one of its keys. */
const questionsByCode: Record<string, OriginQuestionBuilder> = {
  'crash-loop': (_, key, value) => ({collection: 'Pods', key, field: loopingPath(value('Pods'))}),
  'selects-nothing': (_, key) => ({collection: 'ServiceInfos', key, field: 'pods'}),
  'unselected-pod': (_, key) => ({collection: 'Workloads', key, field: 'services'}),
  'endpoints-disagree': (_, key) => ({collection: 'Backends', key, field: 'agreement'}),
  failed: ({collection}, key) => ({collection, key, input: true}),
  'flip-flop': ({evidence, collection}, key) => evidence?.item ?? {collection, key},
  'duplicate-across-inputs': ({collection}, key) => ({collection, key}),
  'join-overlap': ({collection}, key) => ({collection, key}),
};

/** The path of a Pod's status that says CrashLoopBackOff. */
function loopingPath(pod: unknown): string {
  for (const list of ['status.containerStatuses', 'status.initContainerStatuses']) {
    const statuses = readPath(pod, list);
    if (!Array.isArray(statuses)) continue;
    const at = statuses.findIndex(one => readPath(one, 'state.waiting.reason') === 'CrashLoopBackOff');
    if (at >= 0) return `${list}[${at}].state.waiting.reason`;
  }
  return 'status.containerStatuses';
}

export interface FindingOrigin {
  readonly sentence: string;
  readonly parts: readonly SentencePart[];
  readonly origin: Incident['origin'];
}

/** A finding that no write explains: a formula that breaks a promise, a source that does not answer. */
function originWithoutWrite({message}: Check, asked?: OriginQuestion): FindingOrigin {
  return {
    sentence: message,
    parts: say`${message}`,
    origin: {sentence: message, write: null, ...(asked ? {asked} : {})},
  };
}

export function originOfFinding(reader: RerunReader, check: Check, key: string, at: number): FindingOrigin {
  const asked = isSourceFailure(check)
    ? undefined
    : questionsByCode[check.code]?.(check, key, of => reader.records.value(of, key, at));
  if (asked === undefined) return originWithoutWrite(check);
  try {
    const found = findOrigin(reader.records, reader, {...asked, at});
    if (found.write === null) return originWithoutWrite(check, asked);
    const {sentence, parts, write, fix = fixOf(check), fixNote} = found;
    return {
      sentence,
      parts,
      origin: {
        sentence,
        write,
        asked,
        ...(fix === undefined ? {} : {fix}),
        ...(fixNote === undefined ? {} : {fixNote}),
      },
    };
  } catch {
    // The object is not recorded any more: the message of the finding has to do.
    return originWithoutWrite(check, asked);
  }
}

/** The hint of this finding is a command that fixes it; the hints of others only show more. */
function fixOf({code, hint}: Check): string | undefined {
  return code === 'unselected-pod' ? hint : undefined;
}
