// The files with address and token that each running krtscope writes to its data directory.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';

export interface Instance {
  address: string;
  token: string;
  pid: number;
  started: number;
}

export function readInstance(file: string): Instance | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Instance;
  } catch {
    return undefined;
  }
}

/** Returns the newest instance with a running process, except the process `besides`. */
export function newestInstance(folder: string, besides?: number): Instance | undefined {
  let names: string[];
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.json'));
  } catch {
    return undefined;
  }
  return names
    .map(name => join(folder, name))
    .map(file => ({instance: readInstance(file), at: statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? 0}))
    .filter((one): one is {instance: Instance; at: number} => one.instance !== undefined)
    .filter(({instance: {pid}}) => pid !== besides && isAlive(pid))
    .sort((a, b) => b.instance.started - a.instance.started || b.at - a.at)[0]?.instance;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
