// A graph of any size with a realistic shape, put into the page's stream instead of the demo's.

import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Page} from '@playwright/test';

/** Layers of eight columns; each node has one to three inputs in the layer before. Seeded, so that runs compare. */
export function wideGraph(count: number): Graph {
  let seed = count;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const perLayer = Math.ceil(count / 8);
  const collections = Array.from({length: count}, (_, at): CollectionNode => {
    const first = at < perLayer;
    return {
      name: `C${at}`,
      uid: at,
      kind: first ? 'source' : at % 7 === 0 ? 'join' : at % 3 === 0 ? 'many' : 'derived',
      size: random(5000),
      synced: true,
      runs: random(900),
      failed: 0,
      rate: random(90),
      equal: 0,
      spark: [],
      fields: [],
    };
  });
  const edges: Graph['edges'] = [];
  for (let at = perLayer; at < count; at++) {
    const layer = Math.floor(at / perLayer);
    const from = new Set(
      Array.from({length: 1 + random(3)}, () => (layer - 1) * perLayer + random(perLayer)),
    );
    for (const one of from) edges.push({from: `C${one}`, to: `C${at}`, kind: 'input', filters: []});
  }
  return {sequence: 1, collections, edges};
}

/** Answers the page's graph subscription with this graph; everything else comes from the server. */
export async function replaceGraph(page: Page, graph: Graph): Promise<void> {
  await page.routeWebSocket(/\/api\/v1\/stream/, socket => {
    const server = socket.connectToServer();
    server.onMessage(text => {
      const message = JSON.parse(String(text));
      if (message.type === 'frame') {
        message.updates = message.updates.filter(
          (update: {topic: string; snapshot?: object}) =>
            update.topic !== 'graph' || update.snapshot !== undefined,
        );
        for (const update of message.updates) if (update.topic === 'graph') update.snapshot = graph;
      }
      socket.send(JSON.stringify(message));
    });
  });
}
