// The language of the desk's own words, as the person has chosen it in the ui; kept beside the databases, for the command line too.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages, speak, spokenOf } from '../ui/words/texts';

const isLanguage = (name: unknown): name is Language => typeof name === 'string' && Object.hasOwn(languages, name);
const place = (store: string) => join(store, 'language');

/** Speaks what was chosen here; where nothing was, the first of those wanted. */
export function speakAsChosen(store: string, wanted: readonly string[] = []): void {
  let kept = '';
  try {
    kept = readFileSync(place(store), 'utf8').trim();
  } catch {
    // Nobody has chosen yet.
  }
  speak(isLanguage(kept) ? kept : spokenOf(wanted));
}

/** True when it is another than before. */
export function chooseLanguage(store: string, language: unknown, current: Language): boolean {
  if (!isLanguage(language)) throw new Error('no such language');
  if (language === current) return false;
  mkdirSync(store, { recursive: true });
  writeFileSync(place(store), `${language}\n`);
  speak(language);
  return true;
}

/** What the system asks for, in the order in which programs without a window read it. */
export const wantedBySystem = ({ LANGUAGE, LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string[] =>
  [...(LANGUAGE?.split(':') ?? []), LC_ALL || LC_MESSAGES || LANG || '']
    .map((name) => name.replace(/[.@].*$/, '').replace('_', '-'))
    .filter(Boolean);
