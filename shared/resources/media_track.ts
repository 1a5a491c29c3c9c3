// Captions of a recording (reference of the API: Media tracks).

import { int, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const trackKinds = ['subtitles', 'captions', 'descriptions', 'chapters', 'metadata'] as const;

export const MediaTrack = resource('MediaTrack', {
  id: int,
  locale: text,
  kind: oneOf(...trackKinds),
  /** Where its WebVTT is. */
  url: text,
  content: optional(text),
  webvtt_content: optional(text),
  user_id: optional(int),
  created_at: optional(time),
  updated_at: optional(time),
});
