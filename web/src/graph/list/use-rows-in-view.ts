// The rows of a long list that are in view, and some around them. A list of usual length is whole.
import {type RefObject, useEffect, useState} from 'react';

const ROW_HEIGHT = 26;
const MAX_WHOLE_LIST = 80;
const OVERSCAN = 20;

export function useRowsInView(
  list: RefObject<HTMLElement | null>,
  count: number,
): {first: number; last: number} {
  const [first, setFirst] = useState(0);
  const long = count > MAX_WHOLE_LIST;
  useEffect(() => {
    const box = list.current;
    if (!box || !long) return;
    const look = () =>
      setFirst(Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT / OVERSCAN - 1) * OVERSCAN));
    look();
    box.addEventListener('scroll', look, {passive: true});
    return () => box.removeEventListener('scroll', look);
  }, [list, long]);
  return long ? {first, last: Math.min(count, first + MAX_WHOLE_LIST)} : {first: 0, last: count};
}
