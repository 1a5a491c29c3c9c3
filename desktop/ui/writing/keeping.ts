// Saves input as it is typed: the first stroke at once, then the latest value whenever the previous save has finished.

import { useEffect, useRef } from 'react';

interface Keeping<T> {
  readonly keep: (value: T) => void;
  /** Resolves once the latest value is saved; rejects with the reason if it was not. */
  readonly settle: () => Promise<void>;
  /** On page close: sends what is not saved yet, whatever is under way. */
  readonly flush: () => void;
  /** Some input is not saved yet. */
  readonly isUnkept: () => boolean;
  /** Increases with every change. */
  readonly strokes: () => number;
}

const open = new Set<() => Promise<void>>();
/** Called before the field shows the draft of something else. */
export const settleAll = () => Promise.allSettled([...open].map((settle) => settle()));

/** @param every milliseconds between two saves, where each makes other parts reload */
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
      // Leaving in the middle of a word loses nothing.
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
      // Tries again with the next stroke and on leaving.
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
