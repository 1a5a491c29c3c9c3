// Keyboard shortcuts: two-key sequences starting with `g`, and single keys for elements with `data-key`.

import { useEffect } from 'react';
import type { MessageKey } from '../language/texts.ts';
import { type DeskRoute, go } from './routes.ts';
import { syncNow } from './sync/SyncPage.tsx';

const moves: Readonly<Record<string, DeskRoute>> = {
  t: { at: 'today' },
  c: { at: 'courses' },
  f: { at: 'files' },
  a: { at: 'announcements' },
  i: { at: 'inbox', id: null },
  '/': { at: 'search', text: '' },
  s: { at: 'sync' },
  o: { at: 'outbox' },
  d: { at: 'calendar', view: 'month', month: null },
  b: { at: 'bookmarks' },
};

export const shortcuts = [
  ['g t', 'keys.today'],
  ['g c', 'keys.courses'],
  ['g f', 'keys.files'],
  ['g a', 'keys.announcements'],
  ['g i', 'keys.inbox'],
  ['g /', 'keys.search'],
  ['g s', 'keys.sync'],
  ['g o', 'keys.outbox'],
  ['g d', 'keys.calendar'],
  ['g b', 'keys.bookmarks'],
  ['j  k', 'keys.step'],
  ['Enter', 'keys.open'],
  ['x', 'keys.mark'],
  ['n', 'keys.note'],
  ['/', 'keys.filter'],
  ['r', 'sync.now'],
  ['← →', 'keys.days'],
  ['u', 'keys.up'],
  ['b', 'keys.bookmark'],
  ['s', 'keys.star'],
  ['a', 'keys.archive'],
  ['h', 'keys.highlight'],
  ['v', 'keys.versions'],
  ['d', 'keys.compare'],
  ['e', 'file.elsewhere'],
  ['z', 'undo'],
  ['1 – 9', 'keys.rating'],
  ['PgDn PgUp', 'keys.gradeStep'],
  ['⇧ Enter', 'keys.gradeNext'],
  ['Ctrl Z', 'keys.gradeUndo'],
  ['?', 'keys.these'],
  ['Esc', 'close'],
] as const satisfies readonly (readonly [string, MessageKey])[];

/** Single-letter shortcuts disturb users of voice input and can be hit by mistake, so they can be switched off. */
export const areKeysOn = () => localStorage.getItem('keys') !== 'off';
export function switchKeys(on: boolean) {
  if (on) localStorage.removeItem('keys');
  else localStorage.setItem('keys', 'off');
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null;

function step(by: 1 | -1) {
  // Elements in a collapsed section are skipped.
  const stops = [...document.querySelectorAll<HTMLElement>('main [data-stop]')].filter((stop) => stop.checkVisibility());
  const here = stops.findIndex(
    (stop) => stop === document.activeElement || stop.closest('li,tr,article')?.contains(document.activeElement),
  );
  const next = here === -1 ? (by === 1 ? 0 : stops.length - 1) : here + by;
  stops[next]?.focus();
}

/** Keys that act on the focused row when several rows have them. */
const isOfRow: ReadonlySet<string> = new Set(['s', 'a']);

function press(key: string) {
  const within = (scope: ParentNode | null | undefined) => scope?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  const row = within(document.activeElement?.closest('li,tr,article'));
  const isAlone = document.querySelectorAll(`[data-key="${key}"]`).length === 1;
  const element = row ?? (key === 'x' || (isOfRow.has(key) && !isAlone) ? null : within(document));
  if (element instanceof HTMLInputElement && element.type !== 'checkbox') element.focus();
  else element?.click();
  return element !== null && element !== undefined;
}

/** Keys with the same effect on every screen. */
const everywhere: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['r', () => void syncNow()],
  ['j', () => press('j') || step(1)],
  ['k', () => press('k') || step(-1)],
]);

/** Returns whether the key has an effect. */
function act(key: string): boolean {
  const effect = everywhere.get(key);
  if (!effect) return /^[a-z/?]$/.test(key) && press(key);
  effect();
  return true;
}

/** Keys of the browser, of a text field or of a dialog. */
const isForeign = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey || isTyping(target) || document.querySelector('dialog[open]') !== null;

export function useKeys() {
  useEffect(() => {
    let moving = false;
    const onKey = (event: KeyboardEvent) => {
      if (isForeign(event) || !areKeysOn()) return;
      const { key } = event;
      const move = moving ? moves[key] : undefined;
      moving = key === 'g' && !moving;
      if (moving) return;
      if (move) go(move);
      else if (!act(key)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
