// The status that a kubelet reports for its node.
import type {JsonObject} from '../../object/stored-object.ts';

const HEALTHY: [string, string, string][] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
];

export function nodeIP(index: number): string {
  return `10.0.0.${index + 11}`;
}

export function nodeStatus(name: string, index: number, time: string): JsonObject {
  const size = {cpu: '16', memory: '64Gi', pods: '110', 'ephemeral-storage': '200Gi'};
  const conditions = HEALTHY.map(([type, reason, message]) => ({
    type,
    status: 'False',
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason,
    message,
  }));
  return {
    capacity: size,
    allocatable: size,
    conditions: [
      ...conditions,
      {
        type: 'Ready',
        status: 'True',
        lastHeartbeatTime: time,
        lastTransitionTime: time,
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
      },
    ],
    addresses: [
      {type: 'InternalIP', address: nodeIP(index)},
      {type: 'Hostname', address: name},
    ],
    daemonEndpoints: {kubeletEndpoint: {Port: 10250}},
    nodeInfo: {
      machineID: `demo-${name}`,
      systemUUID: `demo-${name}`,
      bootID: `demo-${name}`,
      kernelVersion: '6.12.0',
      osImage: 'krtscope demo',
      containerRuntimeVersion: 'simulated://1.0.0',
      kubeletVersion: 'v1.36.3',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}
