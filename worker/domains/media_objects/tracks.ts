// The set of captions that a client sends, and captions as WebVTT. Pure.

import { trackKinds } from '@carrel/shared/resources/media_track';
import { maybe, object, oneOf, optional, read, text } from '@carrel/shared/wire/fields';
import { problem } from '../../http/problem';

/** Of one recording. */
export const mostTracks = 30;
/** Characters of a text. */
export const longestCaptions = 500_000;

const track = { locale: text, kind: optional(oneOf(...trackKinds)), content: optional(maybe(text)) };

interface GivenTrack {
  readonly locale: string;
  readonly kind: (typeof trackKinds)[number] | undefined;
  /** Undefined for one that is kept. */
  readonly content: string | undefined;
}

/** Language tags, such as `pt-BR`. */
export const captionLocales = /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i;

/** @param kept the locales that exist @throws Problem 400 that names the wrong one */
export function givenTracks(array: readonly unknown[] | undefined, kept: ReadonlySet<string>): readonly GivenTrack[] {
  if (!array) throw problem(400, 'The body must be a list of tracks');
  if (array.length > mostTracks) throw problem(400, `More than ${mostTracks} tracks`);
  const seen = new Set<string>();
  return array.map((given, at) => {
    const found = read({ track: object(track) }, { track: given });
    if (!found.ok) throw problem(400, `track ${at}: ${found.refusal.parameter} ${found.refusal.message}`);
    const { locale, kind, content } = found.value.track;
    if (!captionLocales.test(locale)) throw problem(400, `track ${at}: locale is not a language tag`);
    if (seen.has(locale)) throw problem(400, `track ${at}: locale ${locale} occurs twice`);
    seen.add(locale);
    if (!content && !kept.has(locale)) throw problem(400, `track ${at}: content is missing`);
    if ((content ?? '').length > longestCaptions) throw problem(400, `track ${at}: content has more than ${longestCaptions} characters`);
    return { locale, kind, content: content || undefined };
  });
}

/** SubRip numbers its cues too, and separates the milliseconds by a comma. */
export function toWebVtt(content: string): string {
  const lines = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (/^WEBVTT(\s|$)/.test(lines)) return lines;
  const timed = lines.replaceAll(/^((?:\d+:)?\d{1,2}:\d{2}),(\d{1,3}\s*-->\s*)((?:\d+:)?\d{1,2}:\d{2}),(\d{1,3})/gm, '$1.$2$3.$4');
  return `WEBVTT\n\n${timed.trimStart()}`;
}
