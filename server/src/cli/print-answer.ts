// Asks the instance of a command line and prints the answer as text, JSON or YAML.
import {escapeControlCharacters} from '../terminal.ts';
import {UsageError} from '../usage-error.ts';
import type {CommandEnvironment} from './command.ts';
import type {CommandLine} from './command-line.ts';
import {findInstanceTarget, type InstanceTarget} from './instance-client.ts';

export function targetOf(line: CommandLine, env: CommandEnvironment, exitCode?: number): InstanceTarget {
  const at = line.text('at');
  if (at !== undefined && !/^\d{1,15}$/.test(at))
    throw new UsageError(`--at is "${at}"; give the number of a moment, such as --at 120`);
  return findInstanceTarget(
    {
      url: line.text('url'),
      token: line.text('token'),
      session: line.text('session'),
      dataDir: line.text('data-dir'),
      exitCode,
    },
    env,
  );
}

/** Throws UsageError for a format other than these. */
export function outputOf(
  line: CommandLine,
  formats: readonly string[] = ['json', 'yaml'],
): string | undefined {
  const output = line.text('output');
  if (output === undefined || formats.includes(output)) return output;
  throw new UsageError(`-o ${output} is not known; give ${formats.join(', ')}`);
}

export async function printAnswer<T>(
  output: string | undefined,
  answer: unknown,
  text: (answer: T) => string,
): Promise<void> {
  printText(output === undefined ? text(answer as T) : await structuredText(output, answer));
}

/** The value as JSON or YAML. */
export async function structuredText(output: string, value: unknown): Promise<string> {
  if (output === 'json') return JSON.stringify(value, null, 2) ?? 'null';
  const {stringify} = await import('yaml');
  return stringify(value, {aliasDuplicateObjects: false, lineWidth: 0});
}

export function printText(text: string): void {
  process.stdout.write(`${escapeControlCharacters(text.trimEnd())}\n`);
}
