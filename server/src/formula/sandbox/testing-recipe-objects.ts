// For tests of recipes: random Kubernetes objects with names from small sets, so that references often match.
import fc from 'fast-check';

export interface RecipeObject {
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    ownerReferences?: {kind: string; name: string; controller?: boolean}[];
  };
  // biome-ignore lint/suspicious/noExplicitAny: the fields of any kind
  [field: string]: any;
}

const pick = (...values: string[]) => fc.constantFrom(...values);
const namespaceName = pick('shop', 'bank');
const nodeName = pick('n1', 'n2', 'n3');
const appLabels = fc.record({app: pick('a', 'b', 'c')});
const image = pick('nginx', 'nginx:1.27', 'shop/cart@sha256:0f0f', 'shop/pay:latest');
const resources = fc.option(
  fc.record({
    requests: fc.record({cpu: pick('250m', '1', '2'), memory: pick('64Mi', '1Gi')}, {requiredKeys: []}),
  }),
  {nil: undefined},
);
const container = (name: string) => fc.record({name: fc.constant(name), image, resources});
const containers = fc.oneof(fc.tuple(container('one')), fc.tuple(container('one'), container('two')));

/** Objects with distinct names. */
const named = <T extends object>(prefix: string, max: number, fields: fc.Arbitrary<T>, isNamespaced = true) =>
  fc.array(fc.tuple(fields, namespaceName, appLabels), {maxLength: max}).map(list =>
    list.map(([own, namespace, labels], at) => {
      const {ownerReferences, ...rest} = own as {
        ownerReferences?: RecipeObject['metadata']['ownerReferences'];
      };
      const name = `${prefix}${at}`;
      const place = isNamespaced ? {namespace} : {};
      return {
        metadata: {name, ...place, labels, ...(ownerReferences ? {ownerReferences} : {})},
        ...rest,
      } as RecipeObject;
    }),
  );

const owner = (kind: string, prefix: string) =>
  fc.option(
    fc.nat(3).map(at => [{kind, name: `${prefix}${at}`, controller: true}]),
    {nil: undefined},
  );

const selector = fc.oneof(
  fc.record({matchLabels: appLabels}),
  fc.record({matchExpressions: fc.tuple(fc.constant({key: 'app', operator: 'In', values: ['a', 'b']}))}),
  fc.record({matchExpressions: fc.tuple(fc.constant({key: 'app', operator: 'NotIn', values: ['c']}))}),
);

/** The objects of a small cluster, by collection. */
export const recipeObjects = fc
  .record({
    Namespaces: fc.constant([{metadata: {name: 'shop'}}, {metadata: {name: 'bank'}}] as RecipeObject[]),
    Nodes: fc
      .array(fc.option(pick('east', 'west'), {nil: undefined}), {minLength: 1, maxLength: 3})
      .map(zones =>
        zones.map(
          (zone, at) => ({metadata: {name: `n${at + 1}`, labels: zone ? {zone} : {}}}) as RecipeObject,
        ),
      ),
    Pods: named(
      'pod-',
      8,
      fc.record({
        ownerReferences: owner('ReplicaSet', 'rs-'),
        spec: fc.record({containers, nodeName: fc.option(nodeName, {nil: undefined}), volumes: volumes()}),
        status: fc.constant({}),
      }),
    ),
    ReplicaSets: named(
      'rs-',
      4,
      fc.record({
        ownerReferences: owner('Deployment', 'dep-'),
        spec: fc.record({replicas: fc.nat(3)}),
      }),
    ),
    Deployments: named(
      'dep-',
      3,
      fc.record({
        spec: fc.record({
          template: fc.record({
            metadata: fc.record({labels: appLabels}),
            spec: fc.record({
              containers,
              topologySpreadConstraints: fc.option(
                fc.tuple(
                  fc.record({
                    topologyKey: fc.constant('zone'),
                    maxSkew: fc.integer({min: 1, max: 2}),
                    labelSelector: selector,
                  }),
                ),
                {nil: undefined},
              ),
            }),
          }),
        }),
      }),
    ),
    Services: named(
      'svc-',
      4,
      fc.record({
        spec: fc.record({ports: fc.array(fc.record({port: fc.constantFrom(80, 443)}), {maxLength: 2})}),
      }),
    ),
    EndpointSlices: named(
      'slice-',
      5,
      fc.record({
        of: fc.nat(4),
        endpoints: fc.array(
          fc.record({nodeName, conditions: fc.record({ready: fc.boolean()}, {requiredKeys: []})}),
          {maxLength: 4},
        ),
      }),
    ).map(list =>
      list.map(({of, ...slice}) => ({
        ...slice,
        metadata: {...slice.metadata, labels: {'kubernetes.io/service-name': `svc-${of}`}},
      })),
    ),
    PodDisruptionBudgets: named(
      'pdb-',
      4,
      fc.record({
        spec: fc.record({selector}),
        status: fc.record({
          disruptionsAllowed: fc.nat(1),
          currentHealthy: fc.nat(3),
          desiredHealthy: fc.nat(3),
        }),
      }),
    ),
    HorizontalPodAutoscalers: named(
      'hpa-',
      4,
      fc.record({
        spec: fc.record({
          scaleTargetRef: fc.record({
            kind: pick('Deployment', 'StatefulSet'),
            name: pick('dep-0', 'dep-1', 'gone'),
          }),
          metrics: fc.array(
            fc.record({
              type: fc.constant('Resource'),
              resource: fc.record({
                name: pick('cpu', 'memory'),
                target: fc.record({type: pick('Utilization', 'Value')}),
              }),
            }),
            {maxLength: 2},
          ),
        }),
      }),
    ),
    HTTPRoutes: named(
      'route-',
      4,
      fc.record({
        spec: fc.record({
          rules: fc.array(
            fc.record({
              backendRefs: fc.array(
                fc.record({name: pick('svc-0', 'svc-1', 'gone'), port: fc.constantFrom(80, 443)}),
                {maxLength: 2},
              ),
            }),
            {maxLength: 2},
          ),
        }),
      }),
    ),
    ConfigMaps: named('cm-', 4, fc.record({data: fc.constant({a: '1'})})),
  })
  .map(objects => objects as Record<string, RecipeObject[]>);

function volumes() {
  return fc.array(
    fc.oneof(
      fc.record({configMap: fc.record({name: pick('cm-0', 'cm-1')})}),
      fc.record({
        projected: fc.record({sources: fc.tuple(fc.record({configMap: fc.record({name: pick('cm-2')})}))}),
      }),
    ),
    {maxLength: 2},
  );
}
