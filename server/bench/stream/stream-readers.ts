// The other end of the stream benchmarks, in a process of its own: so many sockets on one window, each counting.
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import {WebSocket} from 'ws';

export interface ReadersReport {
  type: 'report';
  frames: number;
  snapshots: number;
  rows: number;
  open: number;
}

const [url, token, count, collection] = process.argv.slice(2) as [string, string, string, string];
const totals = {frames: 0, snapshots: 0, rows: 0};
let open = 0;

for (let n = 0; n < Number(count); n++) {
  const socket = new WebSocket(`${url}/api/v1/stream`, {headers: {authorization: `Bearer ${token}`}});
  socket.on('open', () => {
    open++;
    socket.send(JSON.stringify({type: 'hello', protocol: PROTOCOL}));
    const question = {ask: 'window', collection, offset: 0, count: 100};
    socket.send(JSON.stringify({type: 'subscribe', id: 'w', question}));
  });
  socket.on('message', bytes => {
    const message = JSON.parse(bytes.toString());
    if (message.type !== 'frame') return;
    totals.frames++;
    for (const update of message.updates) {
      if (update.snapshot !== undefined) totals.snapshots++;
      totals.rows += (update.snapshot ?? update.delta).rows.length;
    }
  });
  socket.on('close', () => open--);
}

process.on('message', () => {
  process.send?.({type: 'report', ...totals, open} satisfies ReadersReport);
});
process.on('disconnect', () => process.exit());
