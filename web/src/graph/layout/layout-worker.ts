// The worker that arranges the graph. The client terminates it if it takes too long.
import {type LayoutPlacement, type LayoutRequest, layout} from './layout.ts';

export interface LayoutWorkerRequest {
  id: number;
  request: LayoutRequest;
}
export type LayoutWorkerResponse = {id: number; placement: LayoutPlacement} | {id: number; error: string};

self.onmessage = (message: MessageEvent<LayoutWorkerRequest>) => {
  const {id, request} = message.data;
  try {
    const answer: LayoutWorkerResponse = {id, placement: layout(request)};
    self.postMessage(answer);
  } catch (error) {
    const answer: LayoutWorkerResponse = {id, error: error instanceof Error ? error.message : String(error)};
    self.postMessage(answer);
  }
};
