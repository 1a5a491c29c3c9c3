// media_tracks.xml: the captions of recordings. Each text is a file of the package, which the track names. Pure.

import { elementsOf, readXml, textOfElement } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import { canvasNamespaces } from './fields';

export interface PackagedTrack {
  readonly kind: string;
  readonly locale: string;
  /** The resource with its text. */
  readonly identifierref?: string;
  /** The text itself, as some writers have it. */
  readonly content?: string;
}

export interface PackagedRecording {
  /** The resource of the recording. */
  readonly identifierref: string;
  readonly tracks: readonly PackagedTrack[];
}

export const writeMediaTracks = (recordings: readonly PackagedRecording[]): string =>
  xmlDocument(
    xml(
      'media_tracks',
      canvasNamespaces,
      recordings.map(({ identifierref, tracks }) =>
        xml(
          'media',
          { identifierref },
          tracks.map(({ kind, locale, identifierref: text, content }) => xml('track', { kind, locale, identifierref: text }, content)),
        ),
      ),
    ),
  );

/** @throws BadXml */
export const readMediaTracks = (document: string): PackagedRecording[] =>
  elementsOf(readXml(document), 'media').map((media) => ({
    identifierref: media.attributes.identifierref ?? '',
    tracks: elementsOf(media, 'track').map((track) => {
      const { kind = '', locale = '', identifierref } = track.attributes;
      const content = textOfElement(track);
      return { kind, locale, ...(identifierref === undefined ? {} : { identifierref }), ...(content.trim() === '' ? {} : { content }) };
    }),
  }));
