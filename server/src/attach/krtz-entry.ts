// One collection of a krtz document, validated. Versions differ: empty fields may be absent or null, and
// versions before 1.27 have no uid.
import {isTooDeep, MAX_DEPTH} from '@krtscope/shared/json/depth.ts';
import {z} from 'zod';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Not z.record, which would lose a key "__proto__". */
const mapSchema = z.custom<Record<string, unknown>>(isObject, 'an object is expected').nullish();
const namesSchema = z.array(z.string()).nullish();
const inputSchema = z.object({dependencies: namesSchema, outputs: namesSchema}).nullish();

const entrySchema = z.object({
  name: z.string(),
  uid: z.number().nullish(),
  state: z
    .object({
      inputCollection: z.string().nullish(),
      inputs: mapSchema,
      outputs: mapSchema,
      synced: z.boolean().nullish(),
    })
    .nullish(),
});
const documentSchema = z.array(entrySchema).nullable();

export interface KrtzInput {
  key: string;
  outputs: readonly string[];
  /** Collection names, one for every fetch. */
  dependencies: readonly string[];
}

export interface KrtzEntry {
  name: string;
  uid: number | undefined;
  /** The name of its parent. A singleton names itself. */
  parent: string | undefined;
  inputs: readonly KrtzInput[];
  outputs: ReadonlyMap<string, unknown>;
  synced: boolean;
}

/** The entries of a document, oldest first. Throws an error that says what is wrong. */
export function readEntries(text: string): KrtzEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success) throw new Error(`it is not a krtz document: ${issueText(parsed.error)}`);
  if (parsed.data === null || parsed.data.length === 0) throw new Error('it has no collections');
  const entries = parsed.data.map(({name, uid, state}): KrtzEntry => {
    return {
      name: name === '' ? '(no name)' : name,
      uid: uid ?? undefined,
      parent: state?.inputCollection || undefined,
      inputs: Object.entries(state?.inputs ?? {}).map(([key, input]) => inputOf(name, key, input)),
      outputs: new Map(Object.entries(state?.outputs ?? {}).map(([key, value]) => [key, shownOutput(value)])),
      synced: state?.synced ?? true,
    };
  });
  // Sort, because each request returns the document in another order.
  return entries.sort(
    (a, b) =>
      (a.uid ?? 0) - (b.uid ?? 0) || compare(a.name, b.name) || compare(a.parent ?? '', b.parent ?? ''),
  );
}

/** An output that is too deep costs itself and not the document. */
const shownOutput = (value: unknown) =>
  isTooDeep(value) ? `nested more than ${MAX_DEPTH} levels deep; krtscope does not show it` : value;

function inputOf(name: string, key: string, value: unknown): KrtzInput {
  const parsed = inputSchema.safeParse(value);
  if (!parsed.success)
    throw new Error(`it is not a krtz document: input "${key}" of ${name}: ${issueText(parsed.error)}`);
  return {key, outputs: parsed.data?.outputs ?? [], dependencies: parsed.data?.dependencies ?? []};
}

function issueText({issues: [issue]}: z.ZodError): string {
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  return `${where}${issue?.message ?? ''}`.slice(0, 300);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
