// All UI texts in the user's language: ICU messages from one catalogue per language.

import { IntlMessageFormat } from 'intl-messageformat';
import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };

export type MessageKey = keyof typeof en;
type Values = Readonly<Record<string, string | number>>;

interface Spoken {
  /** Its own name for itself. */
  readonly name: string;
  /** The locale for dates and numbers. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: Readonly<Record<MessageKey, string>>;
}

export const languages = {
  en: { name: 'English', locale: 'en-GB', direction: 'ltr', texts: en },
  de: { name: 'Deutsch', locale: 'de-DE', direction: 'ltr', texts: de },
  /** A right-to-left pseudo-language under the name that browsers use for it; for testing the layout, never offered. */
  'ar-XB': { name: 'Right to left', locale: 'en-GB', direction: 'rtl', texts: en },
} as const satisfies Readonly<Record<string, Spoken>>;
export type Language = keyof typeof languages;

let current: Language = 'en';
export const speak = (language: Language) => {
  current = language;
};

export const displayLanguage = (): Language => current;

/** The first of these languages with a catalogue, else English. */
export const spokenOf = (wanted: readonly string[]): Language =>
  wanted.flatMap((tag) => (['en', 'de'] as const).filter((one) => one === tag.toLowerCase().split('-')[0]))[0] ?? 'en';

/** One formatter per language, created on first use because that is slow. */
export function inLocale<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const { locale } = languages[current];
    const found = made.get(locale) ?? make(locale);
    made.set(locale, found);
    return found;
  };
}

const messages = new Map<string, IntlMessageFormat>();

export function messageOf(key: MessageKey, language = current): IntlMessageFormat {
  const name = `${language} ${key}`;
  const { texts, locale } = languages[language];
  const found = messages.get(name) ?? new IntlMessageFormat(texts[key], locale);
  messages.set(name, found);
  return found;
}

/** Formats a message. For messages with elements there is `rich`. */
export const t = (key: MessageKey, values?: Values): string => String(messageOf(key).format(values));
