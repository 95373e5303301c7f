// @vitest-environment happy-dom
import {cleanup, fireEvent, render, screen} from '@testing-library/react';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {ErrorBoundary, mayReload, reloadWhenServed} from './ErrorBoundary.tsx';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => new Response('ok'));
  sessionStorage.setItem('krtscope-reloaded', String(Date.now()));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('a view that throws leaves its words and a way on, not a blank page', () => {
  let broken = true;
  const View = () => {
    if (broken) throw new Error('Failed to fetch dynamically imported module');
    return <p>drawn</p>;
  };
  render(
    <ErrorBoundary name="Graph">
      <View />
    </ErrorBoundary>,
  );
  expect(screen.getByText('krtscope was updated')).toBeTruthy();
  broken = false;
  fireEvent.click(screen.getByRole('button', {name: 'Try again'}));
  expect(screen.getByText('drawn')).toBeTruthy();
});

test('it reloads by itself once a minute at most', () => {
  sessionStorage.clear();
  expect(mayReload(100_000)).toBe(true);
  expect(mayReload(130_000)).toBe(false);
  expect(mayReload(161_000)).toBe(true);
});

test('the page reloads only when the server answers again', async () => {
  sessionStorage.clear();
  const answers = [false, false, true];
  let asked = 0;
  let reloads = 0;
  await reloadWhenServed(
    () => true,
    () => {
      reloads += 1;
      expect(asked).toBe(3);
    },
    async () => answers[asked++] ?? true,
    1,
  );
  expect(reloads).toBe(1);
});

test('a view that works again is not reloaded', async () => {
  sessionStorage.clear();
  let wanted = true;
  const reload = vi.fn();
  const away = async () => {
    wanted = false;
    return true;
  };
  await reloadWhenServed(() => wanted, reload, away, 1);
  expect(reload).not.toHaveBeenCalled();
});
