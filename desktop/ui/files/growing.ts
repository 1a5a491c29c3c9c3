// Draws a long list in parts: the first at once, the rest in steps that do not block input.

import { startTransition, useEffect, useState } from 'react';

const first = 120;
const step = 500;

/** How many rows to draw by now. In the end all are drawn, so that find-in-page and screen readers reach them. */
export function useGrowing(total: number): number {
  const [drawn, setDrawn] = useState(first);
  useEffect(() => {
    if (drawn >= total) return;
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + step)), 30);
    return () => clearTimeout(timer);
  }, [drawn, total]);
  return Math.min(drawn, total);
}
