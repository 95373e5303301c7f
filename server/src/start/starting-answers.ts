// Answers requests between the open port and the app; without it they would hang. A browser gets a page that reloads
// itself, a program gets JSON.
import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';

export interface StartingAnswers {
  /** Replaces the text on the page, such as the progress of reading a file. */
  say(text: string): void;
  stop(): void;
}

export function answerWhileStarting(server: Server): StartingAnswers {
  let text = 'krtscope is starting';
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    const isBrowser = req.headers.accept?.includes('text/html') === true;
    res.writeHead(503, {
      'content-type': isBrowser ? 'text/html; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'retry-after': '1',
    });
    const failure = {
      code: 'engine-restarting',
      message: 'krtscope is starting',
      hint: 'ask again in a second',
    };
    res.end(isBrowser ? startingPage(text) : JSON.stringify(failure));
  };
  const onUpgrade = (_req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n');
  };
  server.on('request', onRequest).on('upgrade', onUpgrade);
  return {
    say(next) {
      text = next;
    },
    stop: () => void server.off('request', onRequest).off('upgrade', onUpgrade),
  };
}

function startingPage(text: string): string {
  const escaped = text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>krtscope</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="1">
<style>:root{color-scheme:light dark;font:14px/20px Inter,system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#F2F4F7,#0B0E13);color:light-dark(#1B2430,#E6EDF3)}
h1{margin:0 0 8px;font-size:22px;line-height:28px}p{margin:0;color:light-dark(#465160,#AEB8C4)}</style></head>
<body><main><h1>krtscope</h1><p role="status">${escaped}…</p></main></body></html>
`;
}
