// The toast after an action: a line at the bottom, announced by screen readers, sometimes with Undo.

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../language/texts.ts';
import { domPositionOf } from '../keep_focus.ts';

interface Saying {
  readonly text: string;
  readonly tone: 'plain' | 'bad';
  readonly undo?: () => void;
}

/** The topmost layer shows the toast: an open dialog, else the page. */
let places: readonly symbol[] = [];
let saying: (Saying & { readonly place: symbol | undefined }) | null = null;
const isSaidAt = (me: symbol) =>
  saying !== null && (saying.place === me || (places.at(-1) === me && !places.some((one) => one === saying?.place)));
const listeners = new Set<() => void>();

function tell(change: () => void) {
  change();
  for (const result of listeners) result();
}

const show = (next: Saying | null) =>
  tell(() => {
    saying = next && { ...next, place: places.at(-1) };
  });

/** Undo would fail after switching accounts, so such a toast is hidden. */
export const hush = () => {
  if (saying?.undo) show(null);
};
export const showToast = (text: string, undo?: () => void) => show({ text, tone: 'plain', undo });
export const complain = (failure: unknown) => show({ text: failure instanceof Error ? failure.message : String(failure), tone: 'bad' });

const listen = (told: () => void) => {
  listeners.add(told);
  return () => void listeners.delete(told);
};

export function Toast() {
  const [me] = useState(() => Symbol('place'));
  const said = useSyncExternalStore(listen, () => (isSaidAt(me) ? saying : null));
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    tell(() => {
      places = [...places, me];
    });
    return () =>
      tell(() => {
        places = places.filter((one) => one !== me);
      });
  }, [me]);
  useEffect(() => {
    // The toast stays while the pointer or focus is on it.
    if (!said) setHeld(false);
    if (!said || isHeld) return;
    const timer = setTimeout(() => show(null), said.undo || said.tone === 'bad' ? 12_000 : 5000);
    return () => clearTimeout(timer);
  }, [said, isHeld]);
  return (
    <div
      className="said"
      role="status"
      aria-live="polite"
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      {said && (
        <p data-tone={said.tone}>
          {said.text}
          {said.undo && <Undo undo={said.undo} />}
        </p>
      )}
    </div>
  );
}

function Undo({ undo }: { undo: () => void }) {
  const back = useRef<() => void>(undefined);
  return (
    <button
      type="button"
      data-key="z"
      onFocus={({ relatedTarget }) => {
        back.current = relatedTarget instanceof HTMLElement ? domPositionOf(relatedTarget) : undefined;
      }}
      onClick={({ currentTarget }) => {
        const wasHere = currentTarget === document.activeElement;
        undo();
        show(null);
        if (wasHere) back.current?.();
      }}
    >
      {t('undo')}
    </button>
  );
}
