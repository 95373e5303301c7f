// The graphs of the recorded cases that test fetches and filters.
import {
  fetch,
  fetchOne,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  filterSelectsNonEmpty,
  type HandlerContext,
  newCollection,
  newManyCollection,
  newNamespaceIndex,
  newStatusManyCollection,
  partialFetch,
} from '../index.ts';
import type {TruthObject} from './truth-cases.ts';
import {
  type Build,
  derived,
  isEmpty,
  keyOf,
  keysOf,
  named,
  row,
  sorted,
  type TruthRow,
} from './truth-rows.ts';

export const workloads: Build = (_, {pods, services}) => {
  const all = newCollection(
    pods!,
    (ctx, pod) => {
      if (!pod.ip) return undefined;
      const found = fetch(ctx, services!, filterNamespace(pod.namespace), filterSelectsNonEmpty(pod.labels));
      return row(pod, {ip: pod.ip, services: sorted(found.map(s => s.name))});
    },
    named('workloads'),
  );
  return {watched: {workloads: derived(all)}};
};

export const endpoints: Build = (_, {pods, services}) => {
  const byNamespace = newNamespaceIndex(pods!);
  const all = newManyCollection(
    services!,
    (ctx, service) => {
      if (isEmpty(service.selector)) return [];
      const found = fetch(
        ctx,
        pods!,
        filterIndex(byNamespace, service.namespace),
        filterLabel(service.selector),
      );
      return found
        .filter(p => p.ip)
        .map(p => ({key: `${keyOf(service)}/${p.name}`, value: {ip: p.ip, ready: p.phase === 'Running'}}));
    },
    named('endpoints'),
  );
  return {watched: {endpoints: derived(all)}};
};

export const status: Build = (_, {pods, services}) => {
  const [statuses, addresses] = newStatusManyCollection(
    services!,
    (ctx: HandlerContext, service: TruthObject): [{matched: number} | undefined, TruthRow[]] => {
      if (service.selector === undefined) return [undefined, []];
      const found = fetch(ctx, pods!, filterNamespace(service.namespace), filterLabel(service.selector));
      const outputs = found
        .filter(p => p.ip)
        .map(p => ({key: `${keyOf(service)}/${p.name}`, value: {ip: p.ip}}));
      return [{matched: outputs.length}, outputs];
    },
    named('addresses'),
  );
  return {
    watched: {
      addresses: derived(addresses),
      'addresses/status': {
        collection: statuses,
        row: item => (item as {status: unknown}).status,
        runs: 'addresses',
        mayRepeat: true,
      },
    },
  };
};

export const diamond: Build = (_, {pods}) => {
  const addresses = newCollection(
    pods!,
    (_ctx, pod) => (pod.ip ? row(pod, {ip: pod.ip}) : undefined),
    named('addresses'),
  );
  const phases = newCollection(pods!, (_ctx, pod) => row(pod, {phase: pod.phase}), named('phases'));
  const both = newCollection(
    addresses,
    (ctx, address) => {
      const phase = fetchOne(ctx, phases, filterKey(address.key));
      return phase && {key: address.key, value: {ip: address.value.ip, phase: phase.value.phase}};
    },
    named('both'),
  );
  return {watched: {addresses: derived(addresses), phases: derived(phases), both: derived(both)}};
};

export const keys: Build = (_, {pods, configs}) => {
  const mounts = newCollection(
    pods!,
    (ctx, pod) => {
      const own = fetchOne(ctx, configs!, filterKey(`${pod.namespace}/c1`));
      if (own === undefined) return row(pod, {missing: 'c1'});
      const refs = (own.data?.refs ?? '').split(',').filter(r => r !== '');
      const got = fetch(ctx, configs!, filterKeys(refs.map(r => `${pod.namespace}/${r}`)));
      return row(pod, {want: refs.length, got: sorted(got.map(c => c.name)), n: own.data?.n});
    },
    named('mounts'),
  );
  return {watched: {mounts: derived(mounts)}};
};

export const selects: Build = (_, {pods, services}) => {
  const loose = newCollection(
    pods!,
    (ctx, pod) => row(pod, {services: keysOf(fetch(ctx, services!, filterSelects(pod.labels)))}),
    named('loose'),
  );
  const strict = newCollection(
    pods!,
    (ctx, pod) => row(pod, {services: keysOf(fetch(ctx, services!, filterSelectsNonEmpty(pod.labels)))}),
    named('strict'),
  );
  return {watched: {loose: derived(loose), strict: derived(strict)}};
};

export const labels: Build = (_, {pods, services}) => {
  const matched = newCollection(
    services!,
    (ctx, service) => row(service, {pods: keysOf(fetch(ctx, pods!, filterLabel(service.selector)))}),
    named('matched'),
  );
  return {watched: {matched: derived(matched)}};
};

export const partial: Build = (_, {pods, configs}) => {
  const modes = newCollection(
    pods!,
    (ctx, pod) => {
      const app = filterLabel({app: pod.labels?.app ?? ''});
      const found = partialFetch(
        ctx,
        configs!,
        c => c.data?.mode ?? '',
        (a, b) => a === b,
        app,
      );
      return row(pod, {modes: sorted(found)});
    },
    named('modes'),
  );
  return {watched: {modes: derived(modes)}};
};

export const generic: Build = (_, {configs}) => {
  const bigger = newCollection(
    configs!,
    (ctx, config) => {
      const n = Number(config.data?.n);
      const larger = fetch(
        ctx,
        configs!,
        filterGeneric((other: TruthObject) => Number(other.data?.n) > n),
      );
      return row(config, {n, bigger: keysOf(larger)});
    },
    named('bigger'),
  );
  return {watched: {bigger: derived(bigger)}};
};
