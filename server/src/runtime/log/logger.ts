// The logger of the runtime: a constant message and fields. By default it writes JSON lines to stderr.

import {errorStack, errorText} from './error-text.ts';

export type LogFields = Record<string, unknown>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a logger that adds these fields to every line. */
  with(fields: LogFields): Logger;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LoggerLine {
  level: LogLevel;
  message: string;
  fields: LogFields;
}

const levels: Record<LogLevel, number> = {debug: 0, info: 1, warn: 2, error: 3};

/** Creates a logger that passes every line to `write`. */
export function makeLogger(write: (line: LoggerLine) => void, fields: LogFields = {}): Logger {
  const logAt = (level: LogLevel) => (message: string, more?: LogFields) =>
    write({level, message, fields: more ? {...fields, ...more} : fields});
  return {
    debug: logAt('debug'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    with: more => makeLogger(write, {...fields, ...more}),
  };
}

/** Writes JSON lines with time, level, message and fields. Errors appear as text with their causes, at level error with stacks. */
export function jsonLogger(
  options: {level?: LogLevel; write?: (text: string) => void; fields?: LogFields} = {},
): Logger {
  const least = levels[options.level ?? 'info'];
  const write = options.write ?? (text => process.stderr.write(text));
  return makeLogger(({level, message, fields}) => {
    if (levels[level] < least) return;
    write(`${lineOf(level, message, fields)}\n`);
  }, options.fields);
}

export const silentLogger: Logger = makeLogger(() => {});

function lineOf(level: LogLevel, message: string, fields: LogFields): string {
  const line: LogFields = {time: new Date().toISOString(), level, message};
  for (const [name, value] of Object.entries(fields)) {
    if (!(value instanceof Error)) line[name] = value;
    else {
      line[name] = errorText(value);
      if (level === 'error' && value.stack) line.stack = errorStack(value);
    }
  }
  try {
    return JSON.stringify(line);
  } catch {
    // A circular field must not lose the line.
    return JSON.stringify({time: line.time, level, message, fields: Object.keys(fields)});
  }
}
