// The feed of a recording, which never changes.
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {RecordedSession} from '../engine/link/engine-link.ts';
import type {SessionConnection} from './connection-state.ts';
import type {SessionFeed} from './session-feed.ts';
import {dumpedDocuments} from './types/openapi-documents.ts';

export class RecordingFeed implements SessionFeed {
  readonly cluster: SessionAnswer['cluster'];
  readonly connection: SessionConnection = {state: 'offline', since: Date.now()};
  readonly namespaces = [];
  readonly documents = dumpedDocuments;

  constructor(from: RecordedSession) {
    const {context = from.name, server = '', version = ''} = from;
    this.cluster = {kind: 'recording', context, server, version};
  }

  start(): void {}
  async notReadyReasons(): Promise<string[]> {
    return [];
  }
  retry(): void {}
  async stop(): Promise<void> {}
}
