// krtscope what-if: what edits would do to everything computed from them, as `kubectl diff` shows it for one object.
import {spawnSync} from 'node:child_process';
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import type {EditInput, WhatIf, WhatIfRequestInput} from '@krtscope/shared/what-if/what-if.ts';
import {isNoDifference, whatIfMarkdown} from '@krtscope/shared/what-if/what-if-text.ts';
import type {ManifestObject} from '@krtscope/shared/yaml/manifest-objects.ts';
import {escapeControlCharacters} from '../terminal.ts';
import {UsageError} from '../usage-error.ts';
import type {CommandEnvironment, TerminalCommand} from './command.ts';
import {type CommandLine, usageError} from './command-line.ts';
import {commonFlags} from './common-flags.ts';
import {exitWithError, requestFromInstance} from './instance-client.ts';
import {fileProblem, readManifests} from './manifest-files.ts';
import {outputOf, targetOf} from './print-answer.ts';
import {whatIfLines} from './what-if-lines.ts';

const FAILURES = ['new-incident', 'any-change'] as const;
const OUTPUTS = ['text', 'json', 'markdown'] as const;
/** As `kubectl diff`: 1 means a difference, so an error is another number. */
const ERROR_CODE = 2;

export const whatIfCommand: TerminalCommand = {
  usage: [
    'what-if -f FILE|DIR|- [--delete] [--undo SEQ/COLLECTION/KEY] [--react] [--at SEQ] [--recording FILE] [-o text|json|markdown] [--fail-on new-incident|any-change]',
  ],
  about: `Tries edits in a copy of the graph and shows what would change: rows, checks and incidents. Nothing is written to the
cluster. docs/what-if.md has the details and jobs for CI.`,
  examples: [
    ['krtscope what-if -f deploy/', 'what the manifests of a folder would change'],
    ['krtscope what-if -f old.yaml --delete', 'what their deletion would change'],
    ['krtscope what-if --undo 184/Services/shop/cart', 'what taking a write back would change'],
    [
      'krtscope what-if -f deploy/ --recording prod.krtrec --fail-on new-incident',
      'in CI, without a cluster',
    ],
  ],
  exitCodes: [
    [0, 'no difference, or no new incident with --fail-on new-incident'],
    [1, 'a difference'],
    [ERROR_CODE, 'a wrong command line, the instance refused, or none is running'],
  ],
  flags: {
    filename: {
      type: 'string',
      short: 'f',
      multiple: true,
      value: 'FILE',
      help: 'a manifest, a folder, or - for stdin',
    },
    delete: {type: 'boolean', help: 'delete the objects instead of applying them'},
    namespace: {type: 'string', short: 'n', value: 'NAME', help: 'the namespace of objects that name none'},
    undo: {
      type: 'string',
      multiple: true,
      value: 'SEQ/COLLECTION/KEY',
      help: 'take back a write of the recording',
    },
    react: {type: 'boolean', help: 'let simulated controllers react'},
    at: {type: 'string', value: 'N', help: 'try it on the state of this moment'},
    recording: {type: 'string', value: 'FILE', help: 'try it on a recording, without an instance'},
    'trust-formulas': {type: 'boolean', help: 'with --recording: run the formulas in the file'},
    'fail-on': {type: 'string', value: 'WHAT', help: 'what exits with 1', choices: FAILURES},
    ...commonFlags,
    output: {type: 'string', short: 'o', value: 'FORMAT', help: 'text, json or markdown', choices: OUTPUTS},
  },
  words: [],
  run: runWhatIf,
};

/** How the command reaches a session: over HTTP, or a recording in this process. */
interface WhatIfTarget {
  graph(): Promise<Graph>;
  answer(request: WhatIfRequestInput): Promise<WhatIf>;
  close(): Promise<void>;
}

async function runWhatIf(line: CommandLine, env: CommandEnvironment): Promise<void> {
  const values = readFlags(line);
  const objects = readManifests(values.filename);
  const undone = values.undo.map(parseUndo);
  if (objects.length + undone.length === 0)
    throw values.filename.length === 0
      ? usageError(whatIfCommand)
      : new UsageError(`-f ${values.filename.join(' -f ')}: the manifest has no object`);
  const target =
    values.recording === undefined ? instanceTarget(line, env) : await recordingTarget(values, env);
  let answer: WhatIf;
  try {
    const sources = toResources(await target.graph());
    const {edits, skipped} = toEdits(objects, values, sources);
    answer = await target.answer({
      edits: [...edits, ...undone],
      ...(values.react ? {react: true} : {}),
      ...(values.at === undefined ? {} : {at: Number(values.at)}),
    });
    answer = {...answer, notes: [...skipped, ...answer.notes]};
  } catch (error) {
    const {message, hint = ''} = error as {message: string; hint?: string};
    return exitWithError(hint === '' ? message : `${message}; ${hint}`, ERROR_CODE);
  } finally {
    await target.close();
  }
  print(answer, values.output, env);
  process.exitCode = exitCodeOf(answer, values.failOn);
}

type WhatIfFlags = ReturnType<typeof readFlags>;

function readFlags(line: CommandLine) {
  if (line.words.length > 0)
    throw new UsageError(`"${line.words[0]}" is not a flag; ${usageError(whatIfCommand).message}`);
  const at = line.text('at');
  if (at !== undefined && !/^\d{1,15}$/.test(at))
    throw new UsageError(`--at is "${at}"; give the number of a moment, such as --at 120`);
  const recording = line.text('recording');
  if (line.has('trust-formulas') && recording === undefined)
    throw new UsageError('--trust-formulas goes with --recording FILE');
  return {
    filename: line.list('filename'),
    undo: line.list('undo'),
    delete: line.has('delete'),
    namespace: line.text('namespace'),
    react: line.has('react'),
    at,
    recording,
    trustFormulas: line.has('trust-formulas'),
    output: outputOf(line, OUTPUTS) ?? 'text',
    failOn: line.choice('fail-on', FAILURES),
  };
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

/** Deletions of kinds that are not sources are skipped, unless there is nothing else. */
function toEdits(
  objects: readonly ManifestObject[],
  values: WhatIfFlags,
  sources: Resources,
): {edits: EditInput[]; skipped: string[]} {
  const edits: EditInput[] = [];
  const skipped: string[] = [];
  for (const object of objects) {
    const edit = toEdit(object, values, sources);
    if (edit !== undefined) edits.push(edit);
    else {
      const {name = ''} = (object.metadata ?? {}) as {name?: string};
      const {apiVersion, kind} = object;
      skipped.push(`${kind} ${name} was skipped: ${apiVersion} ${kind} is not a source.`);
    }
  }
  if (edits.length === 0 && skipped.length > 0 && values.undo.length === 0)
    throw new UsageError(`${skipped.join(' ')} Nothing is left to try`);
  return {edits, skipped};
}

/** Undefined for the deletion of a kind that is not a source. */
function toEdit(
  object: ManifestObject,
  values: Pick<WhatIfFlags, 'delete' | 'namespace'>,
  sources: Resources,
): EditInput | undefined {
  const {apiVersion, kind} = object;
  const group = String(apiVersion ?? '').includes('/') ? String(apiVersion).split('/')[0] : '';
  const source = sources.find(({resource}) => resource.kind === kind && resource.group === group);
  const metadata = (object.metadata ?? {}) as {name?: string; namespace?: string};
  const isNamespaced = source?.resource.namespaced === true;
  const namespace = metadata.namespace ?? values.namespace;
  if (!values.delete)
    return isNamespaced && namespace !== undefined
      ? {apply: {...object, metadata: {...metadata, namespace}}}
      : {apply: object};
  if (source === undefined) return undefined;
  const key = isNamespaced ? `${namespace ?? 'default'}/${metadata.name}` : String(metadata.name);
  return {delete: {collection: source.collection, key}};
}

function instanceTarget(line: CommandLine, env: CommandEnvironment): WhatIfTarget {
  const target = targetOf(line, env, ERROR_CODE);
  const request = (path: string, body?: unknown) =>
    requestFromInstance(target, path, {}, {body, exitCode: ERROR_CODE});
  return {
    graph: async () => (await request('/graph')) as Graph,
    answer: async body => (await request('/what-if', body)) as WhatIf,
    close: async () => {},
  };
}

async function recordingTarget(values: WhatIfFlags, env: CommandEnvironment): Promise<WhatIfTarget> {
  const {openRecordingForWhatIf} = await import('../start/what-if-recording.ts');
  try {
    return await openRecordingForWhatIf(
      values.recording as string,
      values.trustFormulas,
      env.KRTSCOPE_REDACT,
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return exitWithError(`--recording ${values.recording}: ${fileProblem(error)}`, ERROR_CODE);
  }
}

function print(answer: WhatIf, output: string, env: CommandEnvironment): void {
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
