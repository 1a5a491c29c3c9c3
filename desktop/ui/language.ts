// The language of the desk: chosen here, or as the system says; kept in this browser.

import { useSyncExternalStore } from 'react';
import { call } from './host.ts';
import { type Language, languages, speak, spokenOf } from './words/texts.ts';

/** `system` stands for whatever the browser asks for. */
export type Choice = Language | 'system';
export const choices: readonly Choice[] = ['system', 'en', 'de'];

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

/** Speaks the chosen language, and says so to whoever reads the page aloud or lays it out. */
export function speakChosenLanguage() {
  const language = currentLanguage();
  speak(language);
  document.documentElement.lang = language === 'ar-XB' ? 'en' : language;
  document.documentElement.dir = languages[language].direction;
  // Before one has entered there is nobody to tell.
  void call('language.speak', { language }).catch(() => undefined);
}

export function chooseLanguage(choice: Choice) {
  if (choice === 'system') localStorage.removeItem('language');
  else localStorage.setItem('language', choice);
  speakChosenLanguage();
  for (const told of listeners) told();
}

const listen = (told: () => void) => {
  listeners.add(told);
  return () => void listeners.delete(told);
};

/** Whoever holds it is drawn again when another language is chosen. */
export const useLanguage = (): Language => useSyncExternalStore(listen, currentLanguage);
