// Brings rows from a session's engine process to its lab processes: changes of a live graph, or pages of items.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {EngineLink} from '../../../engine/link/engine-link.ts';
import type {LabRowSource} from '../../../engine/supervisor/lab-process.ts';

interface RowChangesAnswer {
  since: string;
  reset: boolean;
  rows: string;
  gone: string[];
  synced: boolean;
  next?: string;
}

/** Follows a live graph. */
export function liveRowSource(link: EngineLink): LabRowSource {
  return {
    async bring(collection, since, give) {
      let next: string | undefined;
      for (;;) {
        const answer = (await link.ask({
          ask: 'rows',
          collection,
          since,
          next,
        })) as RowChangesAnswer;
        const {reset, rows, gone, synced} = answer;
        give({reset, rows, gone, synced: synced && answer.next === undefined});
        if (answer.next === undefined) return answer.since;
        next = answer.next;
      }
    },
  };
}

/** Lists a recording or an attached program: all rows of one moment, and again when they change. */
export function listedRowSource(link: EngineLink): LabRowSource {
  return {
    async bring(collection, since, give) {
      const {sequence, collections} = (await link.ask({ask: 'graph'})) as Graph;
      const node = collections.find(({name}) => name === collection);
      const state = `${node?.last?.sequence ?? 0} ${node?.size ?? 0}`;
      if (since === state) return since;
      let cursor: string | undefined;
      let reset = true;
      do {
        const page = (await link.ask({
          ask: 'items',
          collection,
          limit: 1000,
          // All pages show one moment. Pages of two moments would miss rows.
          at: sequence,
          cursor,
        })) as Items;
        cursor = page.cursor;
        const rows = JSON.stringify(page.items.map(({key, value}) => [key, value]));
        give({reset, rows, gone: [], synced: cursor === undefined});
        reset = false;
      } while (cursor !== undefined);
      return state;
    },
  };
}
