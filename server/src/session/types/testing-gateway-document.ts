// For tests: the part of the Gateway API's schemas that the recipes read.
import type {OpenApi, OpenApiSchema} from '../../kube/openapi/openapi-schema.ts';

const list = (properties: Record<string, OpenApiSchema>): OpenApiSchema => ({
  type: 'array',
  items: {type: 'object', required: ['name'], properties: {name: {type: 'string'}, ...properties}},
});
const reference = {kind: {type: 'string'}, namespace: {type: 'string'}};
const gatewayKind = (kind: string, properties: Record<string, OpenApiSchema>): OpenApiSchema => ({
  type: 'object',
  properties: {spec: {type: 'object', properties}},
  'x-kubernetes-group-version-kind': [{group: 'gateway.networking.k8s.io', version: 'v1', kind}],
});

export const gatewayDocument: OpenApi = {
  components: {
    schemas: {
      Gateway: gatewayKind('Gateway', {}),
      HTTPRoute: gatewayKind('HTTPRoute', {
        parentRefs: list(reference),
        rules: {
          type: 'array',
          items: {
            type: 'object',
            properties: {backendRefs: list({...reference, port: {type: 'integer'}})},
          },
        },
      }),
    },
  },
};
