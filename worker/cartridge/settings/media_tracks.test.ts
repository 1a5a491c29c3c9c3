import { expect, test } from 'vitest';
import { readMediaTracks, writeMediaTracks } from './media_tracks';

test('captions are read as they were written', () => {
  const recordings = [
    {
      identifierref: 'g1',
      tracks: [
        { kind: 'subtitles', locale: 'en', identifierref: 'g2' },
        { kind: 'captions', locale: 'pt-BR', identifierref: 'g3' },
      ],
    },
    { identifierref: 'g4', tracks: [{ kind: 'chapters', locale: 'de', content: 'WEBVTT\n\n00:01.000 --> 00:02.000\nA < B & C' }] },
  ];
  expect(readMediaTracks(writeMediaTracks(recordings))).toEqual(recordings);
});

test('a track that states nothing is read without a text', () => {
  expect(readMediaTracks('<media_tracks><media><track/></media><other/></media_tracks>')).toEqual([
    { identifierref: '', tracks: [{ kind: '', locale: '' }] },
  ]);
});
