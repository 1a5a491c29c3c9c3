// Media objects: audio and video among the files of courses, groups and users.

import { MediaObject } from '@carrel/shared/resources/media_object';
import { listOf, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { contains } from '../../database/ids';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { ascending, descending, rows } from '../../http/listing';
import { found, problem, termTooShort } from '../../http/problem';
import { list, one, type Reply, write } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { type FileRow, file } from '../files/json';
import { type FileContext, here, hereIfSeen, thePlace } from '../files/place';
import { keptIn, listedFiles, ofFile } from '../files/policy';
import { files } from '../files/table';
import { media_titles } from './table';

export const about = { title: 'Media objects', description: 'Audio and video files of courses, groups and users.' };

const given = sql<string | null>`(select m.user_entered_title from media_titles m where m.id = files.id)`;

const isCaptioned = ({ context_type, context_id }: FileRow, call: Call): boolean =>
  context_type === 'User'
    ? context_id === call.me.id
    : (call.course?.can('manage_files_edit') ?? call.group?.can('manage_files_edit') ?? false);

const extensionOf = (name: string): string => /\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';

const mediaOf = (isAttachment: boolean) =>
  serializer({
    resource: MediaObject,
    table: files,
    columns: () => ({ user_entered_title: given.as('user_entered_title') }),
    also: (ids, call) => file.also?.(ids, call) ?? {},
    json(row: FileRow & { readonly user_entered_title: string | null }, call, also) {
      const { url } = file.json(row, call, also) as { readonly url?: string };
      const address = `${call.origin}/${isAttachment ? `media_attachments_iframe/${row.id}` : `media_objects_iframe/m-${row.uuid}`}`;
      const excluded = [call.tree.exclude].flat();
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
      return {
        media_id: `m-${row.uuid}`,
        media_type: row.content_type,
        title: row.display_name,
        user_entered_title: row.user_entered_title,
        created_at: row.created_at,
        can_add_captions: isCaptioned(row, call),
        ...(!excluded.includes('tracks') && { media_tracks: [] }),
        ...(!excluded.includes('sources') && { media_sources: url ? [source] : [] }),
        embedded_iframe_url: address,
        ...(isAttachment && { attachment_id: row.id }),
      };
    },
  });

const mediaObject = mediaOf(false);
const mediaAttachment = mediaOf(true);

/** Two ranges of the index by type. */
const mediaIn = ({ context_type, context_id }: FileContext): SQL => {
  const of = (from: string, to: string) =>
    sql`select f.id from files f where f.context_type = ${context_type} and f.context_id = ${context_id} and f.workflow_state = 'available' and f.content_type >= ${from} and f.content_type < ${to}`;
  return sql`files.id in (${of('audio/', 'audio0')} union all ${of('video/', 'video0')})`;
};

const isMedia = sql`(files.content_type like 'audio/%' or files.content_type like 'video/%')`;

const params = { sort: optional(text), order: optional(text), exclude: optional(listOf(text)), search_term: searchTerm };

interface Wanted {
  readonly sort?: string;
  readonly order?: string;
  readonly search_term?: string;
}

/** @throws Problem 400 for a term that is too short */
function listMedia(place: FileContext, now: string, { sort, order, search_term }: Wanted): Reply {
  if (search_term && search_term.length < 2) throw termTooShort();
  const title = sql`coalesce(${given}, files.display_name)`;
  const direction = order === 'desc' ? descending : ascending;
  return list(
    rows(files, {
      where: and(mediaIn(place), keptIn(place), listedFiles(place, now), search_term ? contains(title, search_term) : undefined),
      order: sort === 'created_at' ? direction(files.created_at, files.id) : direction(sql`${title} collate nocase`, files.id),
    }),
  );
}

const longestTitle = 255;

/** @throws Problem 400 for a blank title, 404 for a file that is no recording */
async function retitle({ db, now }: Pick<Call, 'db' | 'now'>, place: FileContext, named: SQL, title: string | undefined): Promise<Reply> {
  const user_entered_title = title?.trim().slice(0, longestTitle);
  if (!user_entered_title) throw problem(400, 'user_entered_title is missing');
  const where = and(keptIn(place), named, isMedia);
  const [[there]] = await db.perform([db.build.select({ id: files.id }).from(files).where(where)]);
  const { id } = found(there);
  return write(
    [
      db.build
        .insert(media_titles)
        .values({ id, user_entered_title, created_at: now, updated_at: now })
        .onConflictDoUpdate({ target: media_titles.id, set: { user_entered_title, updated_at: now } }),
    ],
    one(rows(files, { where: eq(files.id, id) })),
  );
}

const titled = { user_entered_title: optional(text) };
const uuidOf = (media_id: string | undefined): string => (media_id ?? '').replace(/^m-/, '');

const ofMedia = ({ media_object_id }: Readonly<Record<string, string>>) => {
  const holder = (type: string) =>
    sql`select context_id from files where uuid = ${uuidOf(media_object_id)} and context_type = ${type} and workflow_state = 'available'`;
  return { course: holder('Course'), user: holder('User'), group: holder('Group') };
};

const lists = (['media_objects', 'media_attachments'] as const).flatMap((name) => {
  const returns = [name === 'media_objects' ? mediaObject : mediaAttachment] as const;
  const summary = name === 'media_objects' ? 'List media objects' : 'List media attachments';
  return [
    get(`/${name}`, { can: 'user', params, returns, summary: `${summary} of oneself` }, ({ me, now, params }) => {
      const own = { context_type: 'User', context_id: me.id, seesAll: true } as FileContext;
      return listMedia(own, now, params);
    }),
    ...(['/courses/:course_id', '/groups/:group_id'] as const).map((place) =>
      get(
        `${place}/${name}`,
        { can: here('lists'), params, returns, summary: `${summary} of a ${place.startsWith('/courses') ? 'course' : 'group'}` },
        (call) => listMedia(thePlace(call), call.now, call.params),
      ),
    ),
  ];
});

export const mediaObjectRoutes = [
  ...lists,

  put(
    '/media_objects/:media_object_id',
    { can: hereIfSeen('edits'), within: ofMedia, params: titled, returns: mediaObject, summary: 'Update the title of a media object' },
    (call) => retitle(call, thePlace(call), eq(files.uuid, uuidOf(call.path.media_object_id)), call.params.user_entered_title),
  ),

  put(
    '/media_attachments/:attachment_id',
    {
      can: hereIfSeen('edits'),
      within: ({ attachment_id = '' }) => ofFile({ id: attachment_id }),
      params: titled,
      returns: mediaAttachment,
      summary: 'Update the title of a media attachment',
    },
    (call) => {
      const id = /^\d{1,15}$/.test(call.path.attachment_id) ? Number(call.path.attachment_id) : 0;
      return retitle(call, thePlace(call), eq(files.id, id), call.params.user_entered_title);
    },
  ),
];
