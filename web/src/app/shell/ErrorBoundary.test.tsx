// @vitest-environment happy-dom
import {cleanup, fireEvent, render, screen} from '@testing-library/react';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {ErrorBoundary, mayReload} from './ErrorBoundary.tsx';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
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
