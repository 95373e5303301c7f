// Reads the audit log of a real API server: what krtscope's own user asked for.
import {readFile} from 'node:fs/promises';

const READS = new Set(['get', 'list', 'watch']);

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: {readonly username: string};
}

export async function readAudit(file: string, name: string): Promise<{reads: number; writes: string[]}> {
  const writes: string[] = [];
  let reads = 0;
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    if (line === '') continue;
    const {verb, requestURI, user} = JSON.parse(line) as AuditEvent;
    if (user.username !== name) continue;
    if (READS.has(verb)) reads += 1;
    else writes.push(`${verb} ${requestURI}`);
  }
  return {reads, writes};
}
