import {cleanup, fireEvent, render, screen} from '@testing-library/react';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {Boundary} from './Boundary.tsx';

beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => {}));
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
    <Boundary name="Graph">
      <View />
    </Boundary>,
  );
  expect(screen.getByText('Graph could not be loaded')).toBeTruthy();
  broken = false;
  fireEvent.click(screen.getByRole('button', {name: 'Try again'}));
  expect(screen.getByText('drawn')).toBeTruthy();
});
