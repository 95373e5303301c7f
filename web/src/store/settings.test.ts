import {expect, test} from 'vitest';
import {defaultSettings, readSettings, resolveTheme} from './settings.ts';

test('settings of another shape fall back one by one', () => {
  expect(readSettings('{"theme":"light","letters":"no","extra":1}')).toEqual({
    ...defaultSettings,
    theme: 'light',
  });
  expect(readSettings('not json')).toEqual(defaultSettings);
  expect(readSettings('null')).toEqual(defaultSettings);
});

test('high contrast wins over light when the system asks for both; a choice wins over the system', () => {
  const asks =
    (...wishes: string[]) =>
    (query: string) =>
      wishes.some(wish => query.includes(wish));
  expect(resolveTheme('system', asks('contrast', 'light'))).toBe('hc');
  expect(resolveTheme('system', asks('light'))).toBe('light');
  expect(resolveTheme('system', asks())).toBe('dark');
  expect(resolveTheme('dark', asks('contrast'))).toBe('dark');
});
