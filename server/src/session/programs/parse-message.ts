// Validates the messages of a program. Errors tell the program's author what is wrong.
import {isTooDeep, MAX_DEPTH} from '@krtscope/shared/json/depth.ts';
import {type FromProgram, fromProgramSchema} from '@krtscope/shared/programs/program.ts';

/** Sent to the program before its socket is closed. */
export interface ProgramRefusal {
  code: string;
  message: string;
  retry: boolean;
}

export function parseMessage(text: string): {message: FromProgram} | {refusal: ProgramRefusal} {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return badMessage(`a message is not JSON: ${(error as Error).message}`);
  }
  if (isTooDeep(value)) return badMessage(`a message is nested more than ${MAX_DEPTH} levels deep`);
  const parsed = fromProgramSchema.safeParse(value);
  if (parsed.success) return {message: parsed.data};
  const issue = parsed.error.issues[0];
  const type = (value as {type?: unknown} | null)?.type;
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  return badMessage(
    `a message${typeof type === 'string' ? ` "${type.slice(0, 40)}"` : ''} is wrong${where}: ${issue?.message}`,
  );
}

function badMessage(message: string): {refusal: ProgramRefusal} {
  return {refusal: {code: 'bad-message', message: message.slice(0, 1000), retry: false}};
}
