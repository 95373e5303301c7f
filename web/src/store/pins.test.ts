import type {ItemRef} from '@krtscope/shared/run.ts';
import {expect, test} from 'vitest';
import {formatPins, MOST_PINS, parsePins, withPinToggled} from './pins.ts';
import {emptyRoute, formatRoute, parseRoute} from './route.ts';

test('pins go into the address and come back, whatever is in a key', () => {
  const pins = [
    {collection: 'Workloads', key: 'shop/cart,1'},
    {collection: 'Namespaces', key: 'shop'},
  ];
  const address = formatRoute({...emptyRoute, session: 'demo', pins: formatPins(pins)});
  const [pathname = '', search = ''] = address.split('?');
  expect(parsePins(parseRoute({pathname, search}).pins)).toEqual(pins);
  expect(parsePins('nonsense,/x,y/,%E0%A4%A/b')).toEqual([]);
});

test('pinning twice takes the pin away; too many push the oldest out', () => {
  const ref = (key: string): ItemRef => ({collection: 'Pods', key});
  expect(withPinToggled(withPinToggled([], ref('a')), ref('a'))).toEqual([]);
  expect(formatPins([])).toBeNull();
  let pins: ItemRef[] = [];
  for (let n = 0; n <= MOST_PINS; n++) pins = withPinToggled(pins, ref(String(n)));
  expect(pins.map(pin => pin.key)).toEqual(['1', '2', '3', '4', '5', '6']);
});
