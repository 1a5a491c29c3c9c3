// What is typed is kept as it is typed: the first stroke at once, then the latest as soon as the one before is kept.

import { useEffect, useRef } from 'react';

export interface Keeping<T> {
  readonly keep: (value: T) => void;
  /** Resolves once the latest is kept; rejects with why it was not. */
  readonly settle: () => Promise<void>;
  /** The page goes: what is not kept yet is sent off, whatever is under way. */
  readonly flush: () => void;
  /** Something was typed that is not kept yet. */
  readonly isUnkept: () => boolean;
  /** Grows with every stroke. */
  readonly strokes: () => number;
}

const open = new Set<() => Promise<void>>();
/** Before what is shown belongs to somebody else. */
export const settleAll = () => Promise.allSettled([...open].map((settle) => settle()));

/** @param every milliseconds between two, where each makes others read again */
export function useKeeping<T>(save: (value: T) => Promise<unknown>, failed: (why: unknown) => void, every = 0): Keeping<T> {
  const latest = useRef({ save, failed });
  latest.current = { save, failed };
  const keeping = useRef<Keeping<T>>(undefined);
  keeping.current ??= begin(latest, every);
  const { settle, flush } = keeping.current;
  useEffect(() => {
    open.add(settle);
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      // Whoever leaves in the middle of a word loses none of it.
      void settle().catch(() => undefined);
      open.delete(settle);
    };
  }, [settle, flush]);
  return keeping.current;
}

function begin<T>(
  latest: { readonly current: { readonly save: (value: T) => Promise<unknown>; readonly failed: (why: unknown) => void } },
  every: number,
): Keeping<T> {
  let unkept: { readonly value: T } | undefined;
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let strokes = 0;
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const given = unkept;
    if (!given) return;
    unkept = undefined;
    try {
      await latest.current.save(given.value);
    } catch (why) {
      // It is tried again with the next stroke, and when one leaves.
      unkept ??= given;
      throw why;
    }
  };
  const begun = (): Promise<void> => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
  const next = (): void => {
    if (timer !== undefined || running) return;
    const kept = begun();
    kept.then(
      () => {
        timer = setTimeout(() => {
          timer = undefined;
          if (unkept) next();
        }, every);
      },
      (why) => latest.current.failed(why),
    );
  };
  return {
    keep: (value) => {
      strokes++;
      unkept = { value };
      next();
    },
    settle: async () => {
      await running?.catch(() => undefined);
      while (unkept) await begun();
    },
    flush: () => {
      const given = unkept;
      unkept = undefined;
      if (given) void latest.current.save(given.value).catch(() => undefined);
    },
    isUnkept: () => unkept !== undefined || running !== undefined,
    strokes: () => strokes,
  };
}
