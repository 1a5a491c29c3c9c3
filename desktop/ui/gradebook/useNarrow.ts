// Whether the window is too narrow or too low for the grid, as on a phone or at 400 % zoom.

import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 47.5rem), (max-height: 30rem)');

const listen = (changed: () => void) => {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
};

export const useNarrow = () => useSyncExternalStore(listen, () => narrow.matches);
