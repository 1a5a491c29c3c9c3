// The search field; `/` focuses it on every screen.

import type { KeyboardEventHandler, RefObject } from 'react';
import { Icon } from './Icon.tsx';

interface Finding {
  /** The label for users who do not see the placeholder. */
  readonly says: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
  readonly isWide?: boolean;
}

export const Find = ({ says, placeholder = says, value, onChange, field, onKeyDown, isWide }: Finding) => (
  <label className={isWide ? 'find wide' : 'find'}>
    <Icon name="search" />
    <span className="sr-only">{says}</span>
    <input
      ref={field}
      type="search"
      data-key="/"
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
    />
  </label>
);
