import type {Core} from './core.ts';
export interface DumpEntry {
  uid: number;
  name: string;
  state: Record<string, unknown>;
}
export function dumpOf(_cores: Iterable<Core>): DumpEntry[] {
  return [];
}
