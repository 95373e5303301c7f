// Everything that moves by itself in the cluster, at a pace that can be set.
import type {Api} from '../api.ts';
import {Client, PODS} from './client.ts';

export interface Life {
  setPace(pace: number): void;
  stop(): void;
}

export function startLife(api: Api, pace: number): Life {
  let timer: NodeJS.Timeout | undefined;
  const client = new Client(api, 'kubelet');
  const step = () => {
    const pods = client.list(PODS);
    if (pods.length > 0) {
      const pod = api.chance.pick(pods);
      client.update(PODS, pod, current => {
        current.metadata.annotations = {...current.metadata.annotations, 'shop/last-seen': api.timestamp()};
      });
    }
  };
  const setPace = (next: number) => {
    clearInterval(timer);
    if (next > 0) timer = setInterval(step, 2000 / next).unref();
  };
  setPace(pace);
  return {setPace, stop: () => clearInterval(timer)};
}
