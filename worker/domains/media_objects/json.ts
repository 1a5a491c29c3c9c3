// Recordings and their captions as clients see them.

import { MediaObject } from '@carrel/shared/resources/media_object';
import { MediaTrack } from '@carrel/shared/resources/media_track';
import { asc, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { type FileRow, file } from '../files/json';
import { files } from '../files/table';
import { media_tracks } from './table';
import { toWebVtt } from './tracks';

export const enteredTitle = sql<string | null>`(select m.user_entered_title from media_titles m where m.id = files.id)`;

const isCaptioned = ({ context_type, context_id }: FileRow, call: Call): boolean =>
  context_type === 'User'
    ? context_id === call.me.id
    : (call.course?.can('manage_files_edit') ?? call.group?.can('manage_files_edit') ?? false);

const extensionOf = (name: string): string => /\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';

export const trackIncludes = ['content', 'webvtt_content', 'user_id', 'created_at', 'updated_at'] as const;

const briefColumns = {
  id: media_tracks.id,
  file_id: media_tracks.file_id,
  locale: media_tracks.locale,
  kind: media_tracks.kind,
  created_at: media_tracks.created_at,
  updated_at: media_tracks.updated_at,
};

/** The captions of the selected files, without their texts. */
const briefTracks = ({ db }: Pick<Call, 'db'>, ids: SQL) =>
  db.build.select(briefColumns).from(media_tracks).where(isInSelect(media_tracks.file_id, ids)).orderBy(asc(media_tracks.id));

const mediaId = ({ uuid }: Pick<FileRow, 'uuid'>): string => `m-${uuid}`;

const trackAddress = (recording: Pick<FileRow, 'uuid'>, track: { readonly id: number }, origin: string): string =>
  `${origin}/media_objects/${mediaId(recording)}/media_tracks/${track.id}`;

const recordingUuid = sql<string>`(select f.uuid from files f where f.id = media_tracks.file_id)`;

export const mediaTrack = serializer({
  resource: MediaTrack,
  table: media_tracks,
  columns: () => ({ uuid: recordingUuid.as('uuid') }),
  json(row: RowOf<typeof media_tracks> & { readonly uuid: string }, { origin, include }) {
    const { id, locale, kind, content, user_id, created_at, updated_at } = row;
    const more = { content, webvtt_content: include.has('webvtt_content') ? toWebVtt(content) : '', user_id, created_at, updated_at };
    const wanted = trackIncludes.filter((name) => include.has(name)).map((name) => [name, more[name]]);
    return { id, locale, kind, url: trackAddress(row, row, origin), ...Object.fromEntries(wanted) };
  },
});

const mediaOf = (isAttachment: boolean) =>
  serializer({
    resource: MediaObject,
    table: files,
    columns: () => ({ user_entered_title: enteredTitle.as('user_entered_title') }),
    also: (ids, call) => ({ ...file.also?.(ids, call), tracks: briefTracks(call, ids) }),
    json(row: FileRow & { readonly user_entered_title: string | null }, call, { tracks, ...also }) {
      const { origin, tree } = call;
      const { url } = file.json(row, call, also) as { readonly url?: string };
      const address = `${origin}/${isAttachment ? `media_attachments_iframe/${row.id}` : `media_objects_iframe/${mediaId(row)}`}`;
      const excluded = [tree.exclude].flat();
      const source = {
        url: url ?? '',
        content_type: row.content_type,
        width: null,
        height: null,
        bitrate: null,
        size: row.size,
        fileExt: extensionOf(row.display_name),
        isOriginal: '1',
      };
      const captions = tracks
        .filter(({ file_id }) => file_id === row.id)
        .map((track) => ({
          id: track.id,
          locale: track.locale,
          kind: track.kind,
          url: trackAddress(row, track, origin),
          created_at: track.created_at,
          updated_at: track.updated_at,
        }));
      return {
        media_id: mediaId(row),
        media_type: row.content_type,
        title: row.display_name,
        user_entered_title: row.user_entered_title,
        created_at: row.created_at,
        can_add_captions: isCaptioned(row, call),
        ...(!excluded.includes('tracks') && { media_tracks: captions }),
        ...(!excluded.includes('sources') && { media_sources: url ? [source] : [] }),
        embedded_iframe_url: address,
        ...(isAttachment && { attachment_id: row.id }),
      };
    },
  });

export const mediaObject = mediaOf(false);
export const mediaAttachment = mediaOf(true);
