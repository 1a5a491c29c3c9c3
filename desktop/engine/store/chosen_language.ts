// The language of the desk, as chosen in the UI; stored beside the databases, so that the command line uses it, too.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages, speak, spokenOf } from '../../language/texts';

const isLanguage = (name: unknown): name is Language => typeof name === 'string' && Object.hasOwn(languages, name);
const place = (store: string) => join(store, 'language');

/** Uses the chosen language; without a choice, the first supported one of those wanted. */
export function speakAsChosen(store: string, wanted: readonly string[] = []): void {
  let kept = '';
  try {
    kept = readFileSync(place(store), 'utf8').trim();
  } catch {
    // No language was chosen yet.
  }
  speak(isLanguage(kept) ? kept : spokenOf(wanted));
}

/** True if it has changed. */
export function storeLanguage(store: string, language: unknown, current: Language): boolean {
  if (!isLanguage(language)) throw new Error('no such language');
  if (language === current) return false;
  mkdirSync(store, { recursive: true });
  writeFileSync(place(store), `${language}\n`);
  speak(language);
  return true;
}

/** The languages that the system asks for, in the order in which command-line programs read the variables. */
export const wantedBySystem = ({ LANGUAGE, LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string[] =>
  [...(LANGUAGE?.split(':') ?? []), LC_ALL || LC_MESSAGES || LANG || '']
    .map((name) => name.replace(/[.@].*$/, '').replace('_', '-'))
    .filter(Boolean);
