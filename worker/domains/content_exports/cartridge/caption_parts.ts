// The captions of recordings in a cartridge: the text of each is a file, and media_tracks.xml says which recording it belongs to.

import { type SQL, sql } from 'drizzle-orm';
import { packageKey } from '../../../cartridge/keys';
import { writeMediaTracks } from '../../../cartridge/settings/media_tracks';
import type { PackagePart } from '../quiz_parts';
import type { PartsOf } from './documents';
import type { CartridgePlan } from './plan';

/** Tracks `t` of the files, which are in the course. */
const fromTracks = (course: number, ids: readonly number[]): SQL =>
  sql`from json_each(${JSON.stringify(ids)}) j cross join files f on f.id = j.value cross join media_tracks t on t.file_id = f.id
    where f.context_type = 'Course' and f.context_id = ${course} and f.workflow_state = 'available' order by t.file_id, t.id`;

const trackKey = (source: string, id: number): string => packageKey(source, 'media_track', id);

/** The texts of the captions of some files. */
export async function captionParts({ db, course, types }: PartsOf, ids: readonly number[]): Promise<PackagePart[]> {
  const [tracks] = await db.perform([
    db.build.all<{ id: number; file_id: number; locale: string; kind: string; content: string }>(
      sql`select t.id, t.file_id, t.locale, t.kind, t.content ${fromTracks(course.id, ids)}`,
    ),
  ]);
  return tracks.map(({ id, file_id, locale, kind, content }) => {
    const path = `media_tracks/${packageKey(course.uuid, 'file', file_id)}.${locale}.${kind}`;
    return {
      files: [{ path, content }],
      resources: [{ identifier: trackKey(course.uuid, id), type: types.content, href: path, files: [path], dependencies: [] }],
    };
  });
}

/** media_tracks.xml; undefined where no file of the package has captions. */
export async function mediaTracks({ db, course }: PartsOf, { chunks }: CartridgePlan): Promise<string | undefined> {
  const ids = chunks.flatMap((chunk) => (chunk.of === 'file' ? chunk.ids : []));
  const [tracks] = await db.perform([
    db.build.all<{ id: number; file_id: number; locale: string; kind: string }>(
      sql`select t.id, t.file_id, t.locale, t.kind ${fromTracks(course.id, ids)}`,
    ),
  ]);
  if (tracks.length === 0) return undefined;
  return writeMediaTracks(
    [...Map.groupBy(tracks, ({ file_id }) => file_id)].map(([file_id, some]) => ({
      identifierref: packageKey(course.uuid, 'file', file_id),
      tracks: some.map(({ id, locale, kind }) => ({ kind, locale, identifierref: trackKey(course.uuid, id) })),
    })),
  );
}
