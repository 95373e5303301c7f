import {expect, test} from 'vitest';
import {isSameVersion} from './same-version.ts';

test('the same resourceVersion of the same object is the same write', () => {
  const object = (uid: string, resourceVersion?: string) => ({metadata: {uid, resourceVersion}});
  expect(isSameVersion(object('u', '1'), object('u', '1'))).toBe(true);
  expect(isSameVersion(object('u', '1'), object('u', '2'))).toBe(false);
  expect(isSameVersion(object('u', '1'), object('v', '1'))).toBe(false);
  expect(isSameVersion(object('u'), object('u'))).toBe(false);
});
