// Starts the embedded cluster in this process: API, simulators, HTTPS on loopback, kubeconfig.
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import type {Program, Wire} from '../runtime/index.ts';
import {Api} from './api.ts';
import {type ClusterCredentials, makeCredentials} from './credentials.ts';
import {chooseKubeconfigFile, kubeconfigText, writeKubeconfig} from './kubeconfig.ts';
import {growToPodCount} from './shop/bulk-pods.ts';
import {seedEmpty, seedShop} from './shop/seed.ts';
import {startSimulation} from './simulation/simulation.ts';
import {createApiServer} from './wire/https-server.ts';
import {LocalWire} from './wire/local-wire.ts';
import {RbacAccess} from './wire/rbac-access.ts';

export interface EmbeddedClusterOptions {
  seed?: number;
  /** The speed of the demo. 0 stops it, 1 is the default. */
  pace?: number;
  /** Grows the shop to this number of Pods. */
  pods?: number;
  /** Writes the kubeconfig to cluster/ below this folder. Without it, no file is written. */
  dataDir?: string;
  /** false: an empty cluster with its controllers, for tests. */
  shop?: boolean;
  port?: number;
  /** The credentials of an earlier start, so that its kubeconfig stays valid. Default: new ones. */
  credentials?: ClusterCredentials;
  /** false: only the API, which serves CRDs. */
  controllers?: boolean;
}

export interface EmbeddedCluster {
  url: string;
  token: string;
  userToken: string;
  ca: string;
  credentials: ClusterCredentials;
  /** The kubeconfig as text. With dataDir, kubeconfigFile has it, too. */
  kubeconfig: string;
  kubeconfigFile: string | undefined;
  port: number;
  api: Api;
  /** A connection to the API without a socket, as administrator. */
  wire: Wire;
  setPace(pace: number): void;
  stop(): Promise<void>;
}

/** `report` receives what the controllers do. */
export async function startCluster(
  options: EmbeddedClusterOptions = {},
  report?: Program,
): Promise<EmbeddedCluster> {
  const credentials = options.credentials ?? (await makeCredentials());
  const {cert, token, userToken} = credentials;
  const api = new Api({seed: options.seed ?? 1});
  api.ca = cert;
  const access = new RbacAccess(api, token, userToken);
  const wire = new LocalWire(api, access, {token, userAgent: 'kube-controller-manager'});
  if (options.shop === false) seedEmpty(api);
  else await seedShop(api, wire);
  if (options.pods !== undefined) growToPodCount(api, options.pods);
  const simulation = await startSimulation(api, {
    pace: options.pace ?? 1,
    story: options.shop !== false,
    controllers: options.controllers ?? true,
    wire,
    report,
  });
  const server = createApiServer(api, access, credentials);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const {port} = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const kubeconfig = kubeconfigText(url, cert, token);
  const kubeconfigFile =
    options.dataDir === undefined
      ? undefined
      : await chooseKubeconfigFile(join(options.dataDir, 'cluster'), port);
  if (kubeconfigFile !== undefined) writeKubeconfig(kubeconfigFile, kubeconfig);
  return {
    url,
    token,
    userToken,
    ca: cert,
    credentials,
    kubeconfig,
    kubeconfigFile,
    port,
    api,
    wire,
    setPace: simulation.setPace,
    async stop() {
      await simulation.stop();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
