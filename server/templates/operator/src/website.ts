// The Website resource. `npm run crd` generates config/crd.yaml from it.
import {defineResource, type ObjectOf, z} from 'krtscope/runtime';

export const websites = defineResource({
  group: 'example.com',
  kind: 'Website',
  versions: {
    v1alpha1: {
      spec: z.object({
        html: z.string().min(1).describe('The page that is served.'),
        replicas: z.int().min(0).max(10).default(1).describe('How many Pods serve it.'),
      }),
      status: z.object({
        phase: z.enum(['Starting', 'Ready']).optional(),
        readyReplicas: z.int().optional(),
        observedGeneration: z.int().optional(),
      }),
      columns: [
        {name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas'},
        {name: 'Phase', type: 'string', jsonPath: '.status.phase'},
        {name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp'},
      ],
    },
  },
});

export const Website = websites.kinds.v1alpha1;
export type Website = ObjectOf<typeof Website>;
