// A menu of actions beside an element, for the keyboard and the pointer.

import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { Popup } from './Popup.tsx';

export interface MenuItem {
  readonly says: string;
  readonly icon?: IconName;
  /** A choice that is on or off. */
  readonly isOn?: boolean;
  readonly isOff?: boolean;
  readonly act: () => void;
}

interface Given {
  readonly label: string;
  readonly beside: RefObject<HTMLElement | null>;
  readonly items: readonly MenuItem[];
  /** Called before an action, and when the menu is left. */
  readonly onClose: () => void;
}

export function ActionMenu({ label, beside, items, onClose }: Given) {
  const list = useRef<HTMLDivElement>(null);
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => entries()[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const here = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: (here + 1) % all.length, ArrowUp: (here - 1 + all.length) % all.length, Home: 0, End: all.length - 1 }[
      event.key
    ];
    event.stopPropagation();
    if (event.key === 'Tab' || event.key === 'Escape') {
      event.preventDefault();
      onClose();
    } else if (to !== undefined) {
      event.preventDefault();
      all[to]?.focus();
    } else if (event.key.length === 1) {
      const next = [...all.slice(here + 1), ...all.slice(0, here + 1)];
      next.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
    }
  };
  return (
    <Popup beside={beside} onClose={onClose} className="menu-layer">
      <div ref={list} role="menu" aria-label={label} tabIndex={-1} className="menu" onKeyDown={onKeyDown}>
        {items.map(({ says, icon, isOn, isOff, act }) => (
          <button
            key={says}
            type="button"
            {...(isOn === undefined ? { role: 'menuitem' } : { role: 'menuitemcheckbox', 'aria-checked': isOn })}
            aria-disabled={isOff || undefined}
            tabIndex={-1}
            onClick={() => {
              if (isOff) return;
              onClose();
              act();
            }}
          >
            {isOn ? <Icon name="check" /> : icon ? <Icon name={icon} /> : <span className="icon" />}
            {says}
          </button>
        ))}
      </div>
    </Popup>
  );
}
