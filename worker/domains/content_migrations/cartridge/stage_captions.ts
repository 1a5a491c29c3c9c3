// Stages the captions of recordings, each recording in a step.

import { trackKinds } from '@carrel/shared/resources/media_track';
import { sql } from 'drizzle-orm';
import type { PackagedRecording, PackagedTrack } from '../../../cartridge/settings/media_tracks';
import { captionLocales, longestCaptions, mostTracks } from '../../media_objects/tracks';
import { type OpenPackage, textOf } from '../package/open';
import type { CartridgeContents, PackagedDocument } from './contents';
import { type Staging, shortIdentifier } from './staging';

/** A track whose text is a file of the package, or the text itself. */
interface TrackToStage extends PackagedTrack {
  readonly path?: string;
}

export interface RecordingToStage {
  readonly identifier: string;
  readonly tracks: readonly TrackToStage[];
}

/** The captions of a package with the paths of their texts, and its files without these texts. Pure. */
export function captionsApart(
  files: CartridgeContents['files'],
  recordings: readonly PackagedRecording[],
): { readonly recordings: readonly RecordingToStage[]; readonly files: readonly PackagedDocument[] } {
  const pathOf = new Map(files.map(({ identifier, path }) => [identifier, path]));
  const found = recordings
    .filter(({ identifierref }) => pathOf.has(identifierref))
    .map(({ identifierref, tracks }) => ({
      identifier: identifierref,
      tracks: tracks.map((track) => {
        const path = track.identifierref === undefined ? undefined : pathOf.get(track.identifierref);
        return { ...track, ...(path === undefined ? {} : { path }) };
      }),
    }));
  // A recording stays a file, whatever else names it.
  const own = new Set(found.map(({ identifier }) => pathOf.get(identifier)));
  const texts = new Set(found.flatMap(({ tracks }) => tracks.flatMap(({ path }) => path ?? [])));
  return { recordings: found, files: files.filter(({ path }) => own.has(path) || !texts.has(path)) };
}

/** Bytes of a text whose characters take four each. */
const largestText = 4 * longestCaptions;

async function contentOfTrack(staging: Staging, opened: OpenPackage, { path, content }: TrackToStage): Promise<string | undefined> {
  if (path === undefined) return content;
  const size = opened.entries.get(path)?.size ?? 0;
  return size > largestText ? undefined : textOf(staging.work, opened, path);
}

export async function stageCaptions(staging: Staging, opened: OpenPackage, { identifier, tracks }: RecordingToStage): Promise<void> {
  const seen = new Set<string>();
  for (const track of tracks.slice(0, mostTracks)) {
    const { locale } = track;
    const kind = trackKinds.find((one) => one === track.kind);
    const content = kind && captionLocales.test(locale) && !seen.has(locale) ? await contentOfTrack(staging, opened, track) : undefined;
    if (!content?.trim() || content.length > longestCaptions) {
      staging.issue(
        'warning',
        `The captions ${locale.slice(0, 50)} of a recording were not imported, because their text or language is invalid.`,
      );
      continue;
    }
    seen.add(locale);
    // One statement a text: each may be as long as a parameter can be.
    staging.run(
      sql`insert into media_tracks (file_id, locale, kind, content, user_id, created_at, updated_at)
        select f.id, ${locale}, ${kind}, ${content.replaceAll('\u0000', '')}, ${staging.work.it.user_id}, ${staging.now}, ${staging.now} from files f
        where f.id = ${staging.found('file', sql`${shortIdentifier(identifier)}`)} and (f.content_type like 'audio/%' or f.content_type like 'video/%')
        on conflict (file_id, locale) do nothing`,
    );
  }
}
