// The light, dark or system theme; stored in this browser.

import { useState } from 'react';
import type { MessageKey } from '../language/texts.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const themeWords: Readonly<Record<Theme, MessageKey>> = { system: 'theme.system', light: 'theme.light', dark: 'theme.dark' };

const chosen = (): Theme => themes.find((theme) => theme === localStorage.getItem('theme')) ?? 'system';

function wear(theme: Theme) {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset.theme = theme;
}

export const wearChosenTheme = () => wear(chosen());

export function useTheme() {
  const [theme, setTheme] = useState(chosen);
  const choose = (next: Theme) => {
    localStorage.setItem('theme', next);
    wear(next);
    setTheme(next);
  };
  return { theme, choose, next: () => choose(themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system') };
}
