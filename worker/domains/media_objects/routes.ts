// Media objects: audio and video among the files of courses, groups and users.

import { listOf, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { contains } from '../../database/ids';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { ascending, descending, rows } from '../../http/listing';
import { found, problem, termTooShort } from '../../http/problem';
import { list, one, type Reply, write } from '../../http/reply';
import { refuseLockedRecording } from '../../rules/blueprint_locks';
import { type FileContext, here, hereIfSeen, thePlace } from '../files/place';
import { keptIn, listedFiles } from '../files/policy';
import { files } from '../files/table';
import { enteredTitle, mediaAttachment, mediaObject } from './json';
import { byAttachment, byMediaId, isRecording } from './policy';
import { media_titles } from './table';

export const about = { title: 'Media objects', description: 'Audio and video files of courses, groups and users.' };

/** Two ranges of the index by type. */
const mediaIn = ({ context_type, context_id }: FileContext): SQL => {
  const of = (from: string, to: string) =>
    sql`select f.id from files f where f.context_type = ${context_type} and f.context_id = ${context_id} and f.workflow_state = 'available' and f.content_type >= ${from} and f.content_type < ${to}`;
  return sql`files.id in (${of('audio/', 'audio0')} union all ${of('video/', 'video0')})`;
};

const params = { sort: optional(text), order: optional(text), exclude: optional(listOf(text)), search_term: searchTerm };

interface Wanted {
  readonly sort?: string;
  readonly order?: string;
  readonly search_term?: string;
}

/** @throws Problem 400 for a term that is too short */
function listMedia(place: FileContext, now: string, { sort, order, search_term }: Wanted): Reply {
  if (search_term && search_term.length < 2) throw termTooShort();
  const title = sql`coalesce(${enteredTitle}, files.display_name)`;
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
  const where = and(keptIn(place), named, isRecording);
  const [[there]] = await db.perform([db.build.select({ id: files.id }).from(files).where(where)]);
  const { id } = found(there);
  return write(
    [
      ...refuseLockedRecording(db, id),
      db.build
        .insert(media_titles)
        .values({ id, user_entered_title, created_at: now, updated_at: now })
        .onConflictDoUpdate({ target: media_titles.id, set: { user_entered_title, updated_at: now } }),
    ],
    one(rows(files, { where: eq(files.id, id) })),
  );
}

const titled = { user_entered_title: optional(text) };

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
    byMediaId.address,
    {
      can: hereIfSeen('edits'),
      within: byMediaId.holders,
      params: titled,
      returns: mediaObject,
      summary: 'Update the title of a media object',
    },
    (call) => retitle(call, thePlace(call), byMediaId.where(call.path), call.params.user_entered_title),
  ),

  put(
    byAttachment.address,
    {
      can: hereIfSeen('edits'),
      within: byAttachment.holders,
      params: titled,
      returns: mediaAttachment,
      summary: 'Update the title of a media attachment',
    },
    (call) => retitle(call, thePlace(call), byAttachment.where(call.path), call.params.user_entered_title),
  ),
];
