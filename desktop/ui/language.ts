// The language of the UI: chosen here or from the system; stored in this browser.

import { useSyncExternalStore } from 'react';
import { type Language, languages, speak, spokenOf } from '../language/texts.ts';
import { call } from './host.ts';

/** `system` follows the browser's language. */
type Choice = Language | 'system';
export const languageChoices: readonly Choice[] = ['system', 'en', 'de'];

const listeners = new Set<() => void>();
const isLanguage = (name: string | null): name is Language => name !== null && Object.hasOwn(languages, name);

export function chosenLanguage(): Choice {
  const kept = localStorage.getItem('language');
  return isLanguage(kept) ? kept : 'system';
}

export const systemLanguage = (): Language => spokenOf(navigator.languages);
export const currentLanguage = (): Language => {
  const chosen = chosenLanguage();
  return chosen === 'system' ? systemLanguage() : chosen;
};

/** Switches to the chosen language and sets it on the document for screen readers and layout. */
export function speakChosenLanguage() {
  const language = currentLanguage();
  speak(language);
  document.documentElement.lang = language === 'ar-XB' ? 'en' : language;
  document.documentElement.dir = languages[language].direction;
  // Before signing in there is no engine to inform.
  void call('language.speak', { language }).catch(() => undefined);
}

export function chooseLanguage(choice: Choice) {
  if (choice === 'system') localStorage.removeItem('language');
  else localStorage.setItem('language', choice);
  speakChosenLanguage();
  for (const result of listeners) result();
}

const listen = (told: () => void) => {
  listeners.add(told);
  return () => void listeners.delete(told);
};

/** Components that use this hook are redrawn when the language changes. */
export const useLanguage = (): Language => useSyncExternalStore(listen, currentLanguage);
