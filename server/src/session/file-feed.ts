// A recording as a feed: it was read when its engine process was started, and has nothing new to say.
import type {Session as SessionAnswer} from '@krtscope/shared/session.ts';
import type {RecordedSession} from '../engine/link/link.ts';
import type {Connection} from './connection.ts';
import type {Feed} from './feed.ts';
import {dumpedDocuments} from './types/documents.ts';

export class FileFeed implements Feed {
  readonly cluster: SessionAnswer['cluster'];
  readonly connection: Connection = {state: 'offline', since: Date.now()};
  readonly namespaces = [];
  readonly documents = dumpedDocuments;

  constructor(from: RecordedSession) {
    const {context = from.name, server = '', version = ''} = from;
    this.cluster = {kind: 'recording', context, server, version};
  }

  start(): void {}
  async unsettled(): Promise<string[]> {
    return [];
  }
  retry(): void {}
  async stop(): Promise<void> {}
}
