// The help of one command: what it does, its flags, examples and exit codes.
import type {TerminalCommand} from './command.ts';

export function commandHelp(
  name: string,
  summary: string,
  {usage, about, flags, examples, exitCodes = []}: TerminalCommand,
): string {
  const rows = Object.entries(flags).map(([flag, {short, value, help}]) => {
    const names = `${short === undefined ? '    ' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`;
    return `  ${names.padEnd(28)}${names.length > 27 ? ' ' : ''}${help}`;
  });
  const codes = [
    [0, 'done'],
    [1, 'the instance refused, or none is running'],
    [2, 'a wrong command line'],
  ] as const;
  return `${[
    `krtscope ${name}: ${summary}`,
    '',
    ...usage.map(line => `  krtscope ${line}`),
    '',
    about,
    '',
    'Examples',
    ...examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${line}`]),
    '',
    'Flags',
    ...rows,
    '',
    'Exit codes',
    ...[...codes.filter(([code]) => !exitCodes.some(([own]) => own === code)), ...exitCodes]
      .sort(([a], [b]) => a - b)
      .map(([code, meaning]) => `  ${code}  ${meaning}`),
  ].join('\n')}\n`;
}
