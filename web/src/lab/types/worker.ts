// The worker with TypeScript and its library files. It answers requests in order.

import {FormulaLanguageService} from './language-service.ts';
import type {TypeRequestMessage, TypeResponseMessage} from './protocol.ts';

const files = import.meta.glob<string>(
  [
    '../../../../node_modules/typescript/lib/lib.es5.d.ts',
    '../../../../node_modules/typescript/lib/lib.es201*.d.ts',
    '../../../../node_modules/typescript/lib/lib.es202[0-3]*.d.ts',
    '../../../../node_modules/typescript/lib/lib.decorators*.d.ts',
    '!../../../../node_modules/typescript/lib/*.full.d.ts',
  ],
  {query: '?raw', import: 'default', eager: true},
);

const service = new FormulaLanguageService(
  new Map(Object.entries(files).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text])),
);

self.onmessage = (message: MessageEvent<TypeRequestMessage>) => {
  const {id} = message.data;
  let reply: TypeResponseMessage;
  try {
    reply = {id, answer: handleRequest(message.data)};
  } catch (error) {
    reply = {id, error: error instanceof Error ? error.message : String(error)};
  }
  self.postMessage(reply);
};

function handleRequest(request: TypeRequestMessage): unknown {
  switch (request.ask) {
    case 'scope':
      service.setScope(request.text);
      return null;
    case 'read':
      return service.read(request.code, request.shape);
    case 'complete':
      return service.complete(request.code, request.shape, request.at);
    case 'describe':
      return service.describe(request.code, request.shape, request.at, request.label);
    case 'hover':
      return service.hover(request.code, request.shape, request.at);
    case 'signature':
      return service.signature(request.code, request.shape, request.at);
  }
}
