// The functions that expressions may call: overloads with their types and what they do.
import {type CelType, parseType, splitArguments} from './types.ts';

export interface CelOverload {
  /** With the receiver first, if it is a member function. */
  parameters: CelType[];
  member: boolean;
  result: CelType;
  call: (...values: never[]) => unknown;
}

const SIGNATURE = /^(?:(.+)::)?([^():]+)\((.*)\): (.+)$/;

export class FunctionTable {
  readonly #overloads = new Map<string, CelOverload[]>();

  /** The signature reads "string::contains(string): bool" for members, "size(string): int" for the others. */
  add(signature: string, call: (...values: never[]) => unknown): void {
    const match = SIGNATURE.exec(signature);
    if (!match) throw new Error(`the signature ${signature} cannot be read`);
    const [, receiver, name, parameters, result] = match;
    const types = splitArguments(parameters!).map(parseType);
    const list = this.#overloads.get(name!) ?? [];
    list.push({
      parameters: receiver === undefined ? types : [parseType(receiver), ...types],
      member: receiver !== undefined,
      result: parseType(result!),
      call,
    });
    this.#overloads.set(name!, list);
  }

  addAll(functions: CelFunctions): void {
    for (const [signature, call] of Object.entries(functions)) this.add(signature, call);
  }

  find(name: string): readonly CelOverload[] | undefined {
    return this.#overloads.get(name);
  }
}

/** Functions by their signatures. */
export type CelFunctions = Record<string, (...values: never[]) => unknown>;
