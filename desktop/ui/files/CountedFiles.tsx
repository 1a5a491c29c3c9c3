// How many files match the filter, announced once for all lists of a screen.

import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { t } from '../../language/texts.ts';
import { useSettled } from '../parts/settled.ts';

interface Count {
  readonly found: number;
  readonly all: number;
}

const Told = createContext<(course_id: number, count: Count) => void>(() => undefined);
export const useCount = () => useContext(Told);

/** Milliseconds: waits for a pause in typing. */
const pause = 700;

export function CountedFiles({ children }: { children: ReactNode }) {
  const [counts, setCounts] = useState<ReadonlyMap<number, Count>>(new Map());
  const tell = useCallback((course_id: number, count: Count) => setCounts((before) => new Map(before).set(course_id, count)), []);
  const sum = (of: keyof Count) => [...counts.values()].reduce((total, count) => total + count[of], 0);
  const [found, all] = [sum('found'), sum('all')];
  const words = useSettled(found < all ? t('files.match', { found, count: all }) : '', pause);
  return (
    <Told value={tell}>
      <p className="sr-only" role="status">
        {words}
      </p>
      {children}
    </Told>
  );
}
