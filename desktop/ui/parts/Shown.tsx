// Shows a live answer: loading, error or value.

import type { ReactNode } from 'react';
import type { Live } from '../live.ts';
import { Failure, Waiting } from './Blank.tsx';

export function Shown<T>({ live, children }: { live: Live<T>; children: (value: T) => ReactNode }) {
  if (live.value !== undefined) return children(live.value);
  if (live.failure) return <Failure failure={live.failure} readAgain={live.readAgain} />;
  return <Waiting />;
}
