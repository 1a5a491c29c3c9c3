// Shows a live answer: loading, error or value.

import type { ReactNode } from 'react';
import type { LiveValue } from '../live.ts';
import { LoadFailure, Loading } from './Blank.tsx';

export function Shown<T>({ live, children }: { live: LiveValue<T>; children: (value: T) => ReactNode }) {
  if (live.value !== undefined) return children(live.value);
  if (live.failure) return <LoadFailure failure={live.failure} readAgain={live.readAgain} />;
  return <Loading />;
}
