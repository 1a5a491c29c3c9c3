// A long list that is drawn a part at a time: the first at once, the rest while the browser has nothing better to do.

import { startTransition, useEffect, useState } from 'react';

const first = 120;
const step = 500;

/** How many of so many to draw by now. In the end it is all: search in the page and screen readers miss nothing. */
export function useGrowing(total: number): number {
  const [drawn, setDrawn] = useState(first);
  useEffect(() => {
    if (drawn >= total) return;
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + step)), 30);
    return () => clearTimeout(timer);
  }, [drawn, total]);
  return Math.min(drawn, total);
}
