// Mounts a big drawing a few nodes a frame: 500 at once would hold the page for longer than one notices.
import {useEffect, useState} from 'react';

const SLICE = 12;

/** How many of `total` are mounted by now. A small drawing comes at once; what was mounted stays. */
export function useSlices(total: number, identity: unknown): number {
  const [state, setState] = useState({identity, count: SLICE * 2});
  const count = state.identity === identity ? state.count : SLICE * 2;
  useEffect(() => {
    if (count >= total) return;
    const next = requestAnimationFrame(() => setState({identity, count: count + SLICE}));
    return () => cancelAnimationFrame(next);
  }, [count, total, identity]);
  return Math.min(count, total);
}
