// The visible rows of a long list with an overscan. A short list is complete.
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
    const update = () =>
      setFirst(Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT / OVERSCAN - 1) * OVERSCAN));
    update();
    box.addEventListener('scroll', update, {passive: true});
    return () => box.removeEventListener('scroll', update);
  }, [list, long]);
  return long ? {first, last: Math.min(count, first + MAX_WHOLE_LIST)} : {first: 0, last: count};
}
