// krtscope what-if: what edits would do to everything computed from them, as `kubectl diff` shows it for one object.
import {spawnSync} from 'node:child_process';
import {parseArgs} from 'node:util';
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import type {EditInput, WhatIf, WhatIfRequestInput} from '@krtscope/shared/what-if/what-if.ts';
import {isNoDifference, whatIfMarkdown} from '@krtscope/shared/what-if/what-if-text.ts';
import {escapeControlCharacters} from '../terminal.ts';
import {UsageError} from '../usage-error.ts';
import {commonFlags} from './common-flags.ts';
import {exitWithError, findInstanceTarget, requestFromInstance} from './instance-client.ts';
import {type ManifestObject, readManifests} from './manifest-files.ts';
import {whatIfLines} from './what-if-lines.ts';

const USAGE =
  'usage: krtscope what-if -f FILE|DIR|- [--delete] [--namespace NS] [--undo SEQ/COLLECTION/KEY] [--at SEQ] [--recording FILE [--trust-formulas]] [-o text|json|markdown] [--fail-on new-incident|any-change]';

const FAILURES = ['new-incident', 'any-change'];
const OUTPUTS = ['text', 'json', 'markdown'];
/** As `kubectl diff`: 1 means a difference, so an error is another number. */
const ERROR_CODE = 2;

const options = {
  ...commonFlags,
  filename: {type: 'string', short: 'f', multiple: true},
  delete: {type: 'boolean'},
  namespace: {type: 'string', short: 'n'},
  undo: {type: 'string', multiple: true},
  react: {type: 'boolean'},
  at: {type: 'string'},
  recording: {type: 'string'},
  'trust-formulas': {type: 'boolean'},
  'fail-on': {type: 'string'},
} as const;

type Values = ReturnType<typeof parseFlags>;

/** How the command reaches a session: over HTTP, or a recording in this process. */
interface WhatIfTarget {
  graph(): Promise<Graph>;
  answer(request: WhatIfRequestInput): Promise<WhatIf>;
  close(): Promise<void>;
}

export async function runWhatIfCommand(
  args: string[],
  env: Record<string, string | undefined>,
): Promise<void> {
  const values = parseFlags(args);
  const objects = readManifests(values.filename ?? []);
  const undone = (values.undo ?? []).map(parseUndo);
  if (objects.length + undone.length === 0) throw new UsageError(USAGE);
  const target = values.recording === undefined ? instanceTarget(values, env) : await recordingTarget(values);
  let answer: WhatIf;
  try {
    const sources = toResources(await target.graph());
    const edits = [...objects.map(object => toEdit(object, values, sources)), ...undone];
    answer = await target.answer({
      edits,
      ...(values.react === true ? {react: true} : {}),
      ...(values.at === undefined ? {} : {at: Number(values.at)}),
    });
  } catch (error) {
    const {message, hint = ''} = error as {message: string; hint?: string};
    return exitWithError(hint === '' ? message : `${message}; ${hint}`, ERROR_CODE);
  } finally {
    await target.close();
  }
  print(answer, values.output ?? 'text', env);
  process.exitCode = exitCodeOf(answer, values['fail-on']);
}

function parseFlags(args: string[]) {
  let values: ReturnType<typeof parseArgs<{options: typeof options}>>['values'];
  try {
    const parsed = parseArgs({args, options, allowPositionals: true, strict: true});
    if (parsed.positionals.length > 0) throw new Error(`"${parsed.positionals[0]}" is not a flag`);
    values = parsed.values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\.\s/)[0]}; ${USAGE}`);
  }
  const {output, 'fail-on': failOn, at, recording} = values;
  if (output !== undefined && !OUTPUTS.includes(output))
    throw new UsageError(`-o ${output} is not known; give ${OUTPUTS.join(', ')}`);
  if (failOn !== undefined && !FAILURES.includes(failOn))
    throw new UsageError(`--fail-on ${failOn} is not known; give ${FAILURES.join(' or ')}`);
  if (at !== undefined && !/^\d{1,15}$/.test(at))
    throw new UsageError(`--at is "${at}"; give the number of a moment, such as --at 120`);
  if (values['trust-formulas'] === true && recording === undefined)
    throw new UsageError('--trust-formulas goes with --recording FILE');
  return values;
}

function parseUndo(text: string): EditInput {
  const [, sequence, collection, key] = /^(\d{1,15})\/([^/]+)\/(.+)$/.exec(text) ?? [];
  if (sequence === undefined || collection === undefined || key === undefined)
    throw new UsageError(`--undo is "${text}"; give SEQ/COLLECTION/KEY, such as 120/Services/shop/cart`);
  return {undo: {sequence: Number(sequence), collection, key}};
}

type Resources = readonly {collection: string; resource: WireResource}[];

function toResources({collections}: Graph): Resources {
  return collections.flatMap(({name, resource}) =>
    resource === undefined ? [] : [{collection: name, resource}],
  );
}

function toEdit(object: ManifestObject, values: Values, sources: Resources): EditInput {
  const {apiVersion, kind} = object;
  const group = String(apiVersion ?? '').includes('/') ? String(apiVersion).split('/')[0] : '';
  const source = sources.find(({resource}) => resource.kind === kind && resource.group === group);
  const metadata = (object.metadata ?? {}) as {name?: string; namespace?: string};
  const isNamespaced = source?.resource.namespaced === true;
  const namespace = metadata.namespace ?? values.namespace;
  if (values.delete !== true)
    return isNamespaced && namespace !== undefined
      ? {apply: {...object, metadata: {...metadata, namespace}}}
      : {apply: object};
  if (source === undefined)
    throw new UsageError(
      `${String(kind)} ${metadata.name ?? ''} cannot be deleted in a trial: it is not a source`,
    );
  const key = isNamespaced ? `${namespace ?? 'default'}/${metadata.name}` : String(metadata.name);
  return {delete: {collection: source.collection, key}};
}

function instanceTarget(values: Values, env: Record<string, string | undefined>): WhatIfTarget {
  const target = findInstanceTarget({...values, dataDir: values['data-dir'], exitCode: ERROR_CODE}, env);
  const request = (path: string, body?: unknown) =>
    requestFromInstance(target, path, {}, {body, exitCode: ERROR_CODE});
  return {
    graph: async () => (await request('/graph')) as Graph,
    answer: async body => (await request('/what-if', body)) as WhatIf,
    close: async () => {},
  };
}

async function recordingTarget(values: Values): Promise<WhatIfTarget> {
  const {openRecordingForWhatIf} = await import('../start/what-if-recording.ts');
  try {
    return await openRecordingForWhatIf(values.recording as string, values['trust-formulas'] === true);
  } catch (error) {
    return exitWithError(`--recording ${values.recording}: ${(error as Error).message}`, ERROR_CODE);
  }
}

function print(answer: WhatIf, output: string, env: Record<string, string | undefined>): void {
  if (output === 'json') return void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  if (output === 'markdown')
    return void process.stdout.write(escapeControlCharacters(whatIfMarkdown(answer)));
  const isTerminal = process.stdout.isTTY === true;
  const isColoured = isTerminal && env.NO_COLOR === undefined;
  const text = `${whatIfLines(answer, isColoured).join('\n')}\n`;
  const isLong = isTerminal && text.split('\n').length > (process.stdout.rows ?? 0);
  if (!isLong || !showInPager(text, env.PAGER ?? 'less -FRX')) process.stdout.write(text);
}

/** False if the pager cannot be started. */
function showInPager(text: string, pager: string): boolean {
  if (pager === '' || pager === 'cat') return false;
  const {status, error} = spawnSync(pager, {
    shell: true,
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return error === undefined && status !== 127;
}

function exitCodeOf(answer: WhatIf, failOn: string | undefined): number {
  if (failOn === 'new-incident') return answer.incidents.begun.length > 0 ? 1 : 0;
  return isNoDifference(answer) ? 0 : 1;
}
