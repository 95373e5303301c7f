// @vitest-environment happy-dom
import type {RunRecord} from '@krtscope/shared/run.ts';
import {act, renderHook} from '@testing-library/react';
import {expect, test} from 'vitest';
import {countNewer, useSteadyRuns} from './use-steady-runs.ts';

const runs = (...ids: string[]) => ids.map(id => ({id}) as RunRecord);

test('newer runs are those behind the newest held one', () => {
  expect(countNewer(runs('1.1', '1.2'), runs('1.1', '1.2'))).toBe(0);
  expect(countNewer(runs('1.2', '2.1', '2.2'), runs('1.1', '1.2'))).toBe(2);
  expect(countNewer(runs('9.1', '9.2'), runs('1.1'))).toBe(2);
  expect(countNewer(runs('1.1'), [])).toBe(1);
});

test('a held log stays until the pointer leaves, newer runs are asked for, or a filter changes', () => {
  const {result, rerender} = renderHook(({list, filters}) => useSteadyRuns(list, filters), {
    initialProps: {list: runs('1.1'), filters: ''},
  });
  const shown = () => result.current.runs?.map(one => one.id);
  act(() => result.current.hold());
  rerender({list: runs('1.1', '2.1'), filters: ''});
  expect(shown()).toEqual(['1.1']);
  expect(result.current.newer).toBe(1);
  act(() => result.current.showNewer());
  expect(shown()).toEqual(['1.1', '2.1']);
  rerender({list: runs('1.1', '2.1', '3.1'), filters: ''});
  expect(shown()).toEqual(['1.1', '2.1']);
  act(() => result.current.release());
  expect(shown()).toEqual(['1.1', '2.1', '3.1']);
  act(() => result.current.hold());
  rerender({list: runs('4.1'), filters: 'failed'});
  expect(shown()).toEqual(['4.1']);
});
