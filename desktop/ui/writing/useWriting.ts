// A draft in one place: loaded as it was left, saved as it is typed.

import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Unfinished, WritingPlace } from '../../contract/writing.ts';
import { call } from '../host.ts';
import { onNotice } from '../live.ts';
import { complain } from '../parts/Toast.tsx';
import { useKeeping } from './keeping.ts';

interface Writing {
  /** The initial value, then what is typed; the stored draft follows in a moment. */
  readonly words: Unfinished;
  /** The stored draft has been loaded. */
  readonly isFound: boolean;
  readonly change: (part: Partial<Unfinished> | ((before: Unfinished) => Partial<Unfinished>)) => void;
  /** Called before sending. */
  readonly settle: () => Promise<void>;
  /** Called after sending: the outbox took it and deleted the draft in the same transaction. */
  readonly begin: () => void;
  readonly discard: () => void;
  /** The draft is not empty. */
  readonly isBegun: boolean;
}

/** @param blank the value of an empty draft */
export function useWriting(place: WritingPlace, blank: Unfinished): Writing {
  const [words, setWords] = useState(blank);
  const [isFound, setFound] = useState(false);
  const current = useRef(blank);
  /** What was typed before the stored draft was loaded. */
  const early = useRef<Partial<Unfinished> | undefined>({});
  const at = JSON.stringify(place);
  const empty = JSON.stringify(blank);
  const isBlank = (given: Unfinished) => Object.entries(given).every(([name, value]) => isSame(value, blank[name as keyof Unfinished]));
  const show = (given: Unfinished) => {
    current.current = given;
    setWords(given);
  };
  // A stroke before the stored draft was shown must not replace it.
  const showAtOnce = (given: Unfinished) => flushSync(() => show(given));
  const { keep, settle, isUnkept, strokes } = useKeeping<Unfinished>(
    (given) => call('writing.keep', { place, words: isBlank(given) ? null : given }),
    complain,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: place and blank are compared by their JSON
  useEffect(() => {
    let isHere = true;
    const read = async () => {
      const before = strokes();
      const kept = await call('writing.open', { place }).catch(() => undefined);
      // What was typed meanwhile is newer than what was loaded.
      if (isHere && !early.current && strokes() === before && !isUnkept() && kept !== undefined) showAtOnce({ ...blank, ...kept });
    };
    const begin = async () => {
      const before = strokes();
      const kept = await call('writing.open', { place }).catch(() => null);
      const typed = early.current ?? {};
      early.current = undefined;
      if (strokes() !== before || isUnkept()) return setFound(true);
      const text = `${kept?.text ?? blank.text}${typed.text?.slice(blank.text.length) ?? ''}`;
      const found = { ...blank, ...kept, ...typed, text: kept ? text : (typed.text ?? blank.text) };
      if (isHere) showAtOnce(found);
      if (isHere) setFound(true);
      if (Object.keys(typed).length > 0) keep(found);
    };
    early.current = {};
    void begin();
    // The submission may be undone, or the draft continued in another window.
    const stop = onNotice(({ changed }) => {
      if (changed.includes('status') || changed.includes('account')) void read();
    });
    return () => {
      isHere = false;
      stop();
    };
  }, [at, empty]);
  const change: Writing['change'] = (part) => {
    const changed = typeof part === 'function' ? part(current.current) : part;
    const after = { ...current.current, ...changed };
    show(after);
    if (early.current) early.current = { ...early.current, ...changed };
    else keep(after);
  };
  return {
    words,
    isFound,
    change,
    settle,
    begin: () => show(blank),
    discard: () => {
      show(blank);
      keep(blank);
    },
    isBegun: !isBlank(words),
  };
}

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === undefined || one === null || other === undefined || other === null) return (one ?? null) === (other ?? null);
  return JSON.stringify(one) === JSON.stringify(other);
};
