// Paths and query strings to questions. Wrong values become bad-query errors that say what was expected.
import {toOutcome} from '@krtscope/shared/filter.ts';
import {
  kindOfPart,
  type Question,
  type QuestionName,
  queryPartsOf,
  questionSchema,
} from '@krtscope/shared/questions.ts';
import type {Request} from 'express';
import {HttpFailure} from './failure.ts';

/** The question of a request, from its path, its query string and what the caller adds. */
export function toQuestion(req: Request, ask: QuestionName, more: Record<string, unknown> = {}): Question {
  const taken = queryPartsOf(ask);
  const question: Record<string, unknown> = {ask, ...req.params, ...more};
  for (const name of taken) {
    const text = queryParameter(req, name);
    if (text === undefined || name in more) continue;
    const kind = kindOfPart(ask, name);
    if (kind === 'number') question[name] = toNumber(name, text);
    else if (kind === 'boolean') question[name] = toBoolean(name, text);
    else question[name] = name === 'outcome' ? toOutcome(text) : text;
  }
  const parsed = questionSchema.safeParse(question);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.') || 'the query';
  if (question[where] === undefined && taken.includes(where)) {
    throw new HttpFailure('bad-query', `${where} is missing`, `give ${where}=, as docs/api.md says`);
  }
  throw new HttpFailure(
    'bad-query',
    `${where}: ${issue?.message ?? 'not understood'}`,
    'docs/api.md lists what each path takes',
  );
}

export function queryParameter(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new HttpFailure('bad-query', `${name} is given more than once`, 'give it once');
}

function toBoolean(name: string, text: string): boolean {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw new HttpFailure('bad-query', `${name} is "${text}"`, `give ${name}=1, or leave it out`);
}

function toNumber(name: string, text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new HttpFailure(
    'bad-query',
    `${name} is "${text}", not a number`,
    `give ${name} as a whole number from 0 up`,
  );
}
