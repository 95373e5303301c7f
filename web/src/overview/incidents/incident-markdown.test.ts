import type {Incident} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {expect, test} from 'vitest';
import {incidentMarkdown} from './incident-markdown.ts';

const incident: Incident = {
  id: '17 unselected-pod Pods shop/orders-1',
  severity: 'warning',
  title: 'Pod that no Service selects',
  sentence: 'kubectl-label changed label app of Pods/shop/orders-1 from orders to order.',
  parts: [],
  began: 17,
  beganAt: Date.UTC(2026, 10, 16, 15, 4, 12),
  origin: {
    sentence: '',
    write: {
      collection: 'Pods',
      key: 'shop/orders-1',
      event: 'update',
      path: 'metadata.labels.app',
      old: 'orders',
      new: 'order',
      manager: 'kubectl-label',
      sequence: 17,
      time: '2026-11-16T15:04:12.000Z',
    },
    fix: 'kubectl -n shop label pod orders-1 app=orders --overwrite',
  },
  symptoms: [
    {
      code: 'unselected-pod',
      collection: 'Pods',
      keys: ['shop/orders-1'],
      severity: 'warning',
      title: 'Pod that no Service selects',
      message: '3 siblings say orders',
      began: 17,
    },
  ],
};
const origin = {steps: [{sentence: 'second'}, {sentence: 'first'}]} as unknown as Origin;

test('the whole story: who wrote what, the steps from the write on, symptoms, the command, the link', () => {
  const text = incidentMarkdown(incident, origin, 'http://x/');
  expect(text).toContain('## Pod that no Service selects\n\nkubectl-label changed label app');
  expect(text).toContain('- since: 2026-11-16T15:04:12.000Z (#17), open');
  expect(text).toContain('```diff\n- metadata.labels.app: orders\n+ metadata.labels.app: order\n```');
  expect(text).toContain('1. first\n2. second');
  expect(text).toContain(
    '- **Pod that no Service selects** (unselected-pod), Pods `shop/orders-1`: 3 siblings say orders',
  );
  expect(text).toContain('```\nkubectl -n shop label pod orders-1 app=orders --overwrite\n```');
  expect(text).toContain('(http://x/)');
});

test('one that has ended says when; without an origin there are no steps', () => {
  const text = incidentMarkdown({...incident, ended: 20, endedAt: incident.beganAt + 1000}, undefined, '');
  expect(text).toContain('ended 2026-11-16T15:04:13.000Z (#20)');
  expect(text).not.toContain('How it began');
});
