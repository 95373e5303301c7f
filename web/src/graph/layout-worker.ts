// The worker that arranges: one request, one answer. It is ended from outside when it takes too long.
import {type LayoutRequest, layout, type Placement} from './layout.ts';

export interface LayoutAsk {
  id: number;
  request: LayoutRequest;
}
export type LayoutAnswer = {id: number; placement: Placement} | {id: number; error: string};

self.onmessage = (message: MessageEvent<LayoutAsk>) => {
  const {id, request} = message.data;
  try {
    const answer: LayoutAnswer = {id, placement: layout(request)};
    self.postMessage(answer);
  } catch (error) {
    const answer: LayoutAnswer = {id, error: error instanceof Error ? error.message : String(error)};
    self.postMessage(answer);
  }
};
