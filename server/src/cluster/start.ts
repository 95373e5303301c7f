// Starts the embedded cluster in this process: API, simulators, HTTPS on loopback, kubeconfig.
import {randomBytes} from 'node:crypto';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import type {Program, Wire} from '../runtime/index.ts';
import {Api} from './api.ts';
import {kubeconfigText, writeKubeconfig} from './kubeconfig.ts';
import {makeServerCertificate} from './server-certificate.ts';
import {growToPodCount} from './shop/bulk-pods.ts';
import {seedEmpty, seedShop} from './shop/seed.ts';
import {startSimulation} from './simulation/simulation.ts';
import {createApiServer} from './wire/https-server.ts';
import {LocalWire} from './wire/local-wire.ts';
import {RbacAccess} from './wire/rbac-access.ts';

export interface EmbeddedClusterOptions {
  seed?: number;
  /** How fast the shop lives; 0 holds it still, 1 is the default. */
  pace?: number;
  /** Grows the shop to this many Pods. */
  pods?: number;
  /** Where the kubeconfig goes, under cluster/; nothing is written without it. */
  dataDir?: string;
  /** false: an empty cluster with its controllers, for tests. */
  shop?: boolean;
  port?: number;
  /** false: the API alone: CRDs are served, and nothing else happens by itself. */
  controllers?: boolean;
}

export interface EmbeddedCluster {
  url: string;
  token: string;
  /** A second user with no rights but those RBAC objects give. */
  userToken: string;
  ca: string;
  /** The kubeconfig as text; with dataDir it is also in kubeconfigFile. */
  kubeconfig: string;
  kubeconfigFile: string | undefined;
  port: number;
  api: Api;
  /** The API without a socket, as its owner. */
  wire: Wire;
  setPace(pace: number): void;
  stop(): Promise<void>;
}

/** `report` hears what the controllers do. */
export async function startCluster(
  options: EmbeddedClusterOptions = {},
  report?: Program,
): Promise<EmbeddedCluster> {
  const identity = await makeServerCertificate();
  const token = randomBytes(24).toString('base64url');
  const userToken = randomBytes(24).toString('base64url');
  const api = new Api({seed: options.seed ?? 1});
  api.ca = identity.cert;
  const access = new RbacAccess(api, token, userToken);
  const wire = new LocalWire(api, access, {token, userAgent: 'kube-controller-manager'});
  if (options.shop === false) seedEmpty(api);
  else await seedShop(api, wire);
  if (options.pods !== undefined) growToPodCount(api, options.pods);
  const life = await startSimulation(api, {
    pace: options.pace ?? 1,
    story: options.shop !== false,
    controllers: options.controllers ?? true,
    wire,
    report,
  });
  const server = createApiServer(api, access, identity);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const {port} = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const kubeconfig = kubeconfigText(url, identity.cert, token);
  const kubeconfigFile =
    options.dataDir === undefined ? undefined : join(options.dataDir, 'cluster', 'kubeconfig');
  if (kubeconfigFile !== undefined) writeKubeconfig(kubeconfigFile, kubeconfig);
  return {
    url,
    token,
    userToken,
    ca: identity.cert,
    kubeconfig,
    kubeconfigFile,
    port,
    api,
    wire,
    setPace: life.setPace,
    async stop() {
      await life.stop();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
