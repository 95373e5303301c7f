// When informers wake each other.
import {afterEach, expect, test, vi} from 'vitest';
import type {DynamicClient} from '../client/dynamic-client.ts';
import type {ReflectorPhase, ReflectorState} from '../reflector/reflector-state.ts';
import {resources} from '../resource.ts';
import {Informer} from './informer.ts';
import {Informers} from './informer-factory.ts';

afterEach(() => void vi.restoreAllMocks());

/** Two informers that are both disconnected, and the states that the first one reports. */
function reportStates(...phases: ReflectorPhase[]): number {
  const handlers = vi.spyOn(Informer.prototype, 'addHandler');
  vi.spyOn(Informer.prototype, 'start').mockReturnValue();
  vi.spyOn(Informer.prototype, 'state', 'get').mockReturnValue({phase: 'reconnecting', reason: '', seen: 0});
  const wake = vi.spyOn(Informer.prototype, 'wake').mockReturnValue();
  const informers = new Informers({client: {} as DynamicClient});
  informers.get(resources.ConfigMaps);
  informers.get(resources.Services);
  const onState = handlers.mock.calls[0]?.[0].onState as (state: ReflectorState) => void;
  for (const phase of phases) onState({phase, reason: '', seen: 0});
  return wake.mock.calls.length;
}

test('an informer that reaches the server again after an outage wakes the others', () => {
  expect(reportStates('synced', 'unreachable', 'synced')).toBe(2);
});

// Each wake ends the growing wait of the other. Two of them would list everything once a second.
test('an informer whose watch was lost and is open again does not wake the others', () => {
  expect(reportStates('synced', 'reconnecting', 'synced', 'reconnecting', 'synced')).toBe(0);
});
