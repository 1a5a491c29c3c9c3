// Words that change from moment to moment, once they have come to rest: what is spoken should not follow every key and every file.

import { useEffect, useState } from 'react';

export function useSettled(words: string, rest: number): string {
  const [settled, setSettled] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), rest);
    return () => clearTimeout(timer);
  }, [words, rest]);
  return settled;
}
