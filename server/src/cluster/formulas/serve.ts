// Serves formulas.krtscope.dev in the demo: starts the webhook first, then installs the CRD that names it.
import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import {silentLogger} from '../../runtime/log/logger.ts';
import {createManager} from '../../runtime/manager/create-manager.ts';
import {conversionPath, serveConversions} from '../../runtime/webhook/conversion-webhook.ts';
import {selfSignedIdentity} from '../../runtime/webhook/identity.ts';
import {installDefinitions} from '../install-definitions.ts';
import {formulas} from './resource.ts';

/** Resolves when formulas can be written. The webhook stops with the signal. */
export async function serveFormulas(transport: Wire, signal: AbortSignal): Promise<void> {
  const {cert, key, ca} = await selfSignedIdentity();
  const manager = await createManager({
    transport,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    webhookServer: {host: '127.0.0.1', port: 0, tls: {cert, key}},
    gracefulShutdownTimeout: 0,
    report: false,
  });
  serveConversions(manager, [formulas]);
  void manager.start(signal);
  await manager.elected;
  const url = `https://127.0.0.1:${manager.ports.webhooks}${conversionPath}`;
  const definition = formulas.definition({conversion: {url, caBundle: ca}});
  await installDefinitions(new DynamicClient(transport), [definition]);
}
