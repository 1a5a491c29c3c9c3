// Debounces live text for screen readers, so that they do not announce every keystroke or file.

import { useEffect, useState } from 'react';

export function useSettled(words: string, rest: number): string {
  const [settled, setSettled] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), rest);
    return () => clearTimeout(timer);
  }, [words, rest]);
  return settled;
}
