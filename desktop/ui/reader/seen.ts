// Records which elements the user has seen for a moment, and reports them in batches.

import { useCallback, useEffect, useRef } from 'react';

const aMoment = 1200;

/** Returns a function that observes an element and reports its id once after it has been in view. */
export function useSeen(onSeen: (ids: readonly number[]) => void) {
  const tell = useRef(onSeen);
  tell.current = onSeen;
  const state = useRef<{
    watch: IntersectionObserver;
    waiting: Set<number>;
    ids: WeakMap<Element, number>;
    timer?: ReturnType<typeof setTimeout>;
  }>(undefined);
  const flush = useCallback(() => {
    const waiting = state.current?.waiting;
    if (!waiting || waiting.size === 0) return;
    const ids = [...waiting];
    waiting.clear();
    tell.current(ids);
  }, []);
  useEffect(
    () => () => {
      clearTimeout(state.current?.timer);
      state.current?.watch.disconnect();
      flush();
    },
    [flush],
  );
  return useCallback(
    (element: HTMLElement, id: number) => {
      if (!state.current) {
        const ids = new WeakMap<Element, number>();
        const waiting = new Set<number>();
        const watch = new IntersectionObserver(
          (entries) => {
            for (const { isIntersecting, target } of entries) {
              const seen = ids.get(target);
              if (!isIntersecting || seen === undefined) continue;
              waiting.add(seen);
              watch.unobserve(target);
            }
            if (state.current && waiting.size > 0) {
              clearTimeout(state.current.timer);
              state.current.timer = setTimeout(flush, aMoment);
            }
          },
          { threshold: 0.4 },
        );
        state.current = { watch, waiting, ids };
      }
      state.current.ids.set(element, id);
      state.current.watch.observe(element);
    },
    [flush],
  );
}
