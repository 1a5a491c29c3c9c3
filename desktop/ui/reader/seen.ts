// What has been before one's eyes for a moment: told together, not one by one.

import { useCallback, useEffect, useRef } from 'react';

const aMoment = 1200;

/** Gives a function that watches an element; when it has been in view, its id is told, once. */
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
