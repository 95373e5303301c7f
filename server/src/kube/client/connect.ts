// Creates the client of a kubeconfig context.

import type {Clock} from '../clock.ts';
import {credentialsOf} from '../credentials/credentials.ts';
import type {Kubeconfig} from '../credentials/kubeconfig.ts';
import {Transport, type TransportOptions} from '../transport/transport.ts';
import {DynamicClient} from './dynamic-client.ts';

export interface ConnectOptions extends TransportOptions {
  config: Kubeconfig;
  context: string;
  clock?: Clock;
}

/** Sends no request. Throws KubeconfigError when the context cannot be used. */
export function connect(options: ConnectOptions): DynamicClient {
  const {config, context, ...rest} = options;
  return new DynamicClient(new Transport(credentialsOf(config, context), rest));
}
