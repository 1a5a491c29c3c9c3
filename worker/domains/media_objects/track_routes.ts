// Captions of recordings, what players read about a recording, and a page that plays it.

import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { absolute, get, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, notFound, unauthorized } from '../../http/problem';
import { all, answer, one, type Reply, rawResponse, write } from '../../http/reply';
import { type Plan, planListing } from '../../http/serializer';
import { refuseLockedRecording } from '../../rules/blueprint_locks';
import { htmlPage, toLogin } from '../../site/page';
import { type FileRow, file } from '../files/json';
import { fileContextOf, hereIfSeen, thePlace } from '../files/place';
import { keptIn } from '../files/policy';
import { files } from '../files/table';
import { mediaAttachment, mediaObject, mediaTrack, trackIncludes } from './json';
import { playerHeaders, playerPage } from './player_page';
import { byAttachment, byMediaId, isRecording } from './policy';
import { media_tracks } from './table';
import { givenTracks, toWebVtt } from './tracks';

type Here = Pick<Call, 'course' | 'user' | 'group' | 'me'>;

const recordingHere = (call: Here, named: SQL): SQL => and(keptIn(thePlace(call)), named, isRecording) as SQL;
const tracksOf = (recording: SQL) =>
  rows(media_tracks, { where: sql`media_tracks.file_id in (${recording})`, order: ascending(media_tracks.id) });
const selectRecording = (where: SQL): SQL => sql`select id from files where ${where}`;

/** Reads the recording beside a plan. @throws Problem 404 without one, 401 for one that is locked */
async function readWithRecording<Row>(call: Call, where: SQL, beside: Plan<Row>) {
  // The parameter `only` of lists of files does not apply here.
  const plan = planListing<FileRow>(file, rows(files, { where }), { ...call, tree: {} });
  const results = await call.db.perform([...plan.statements, ...beside.statements]);
  const { row, json } = found(plan.tell(results)[0]);
  if (json.locked_for_user) throw unauthorized();
  return { recording: row, found: beside.tell(results.slice(plan.statements.length)) };
}

async function listTracks(call: Call, named: SQL): Promise<Reply> {
  const where = recordingHere(call, named);
  const { found: tracks } = await readWithRecording(call, where, planListing(mediaTrack, tracksOf(selectRecording(where)), call));
  return answer(tracks.map(({ json }) => json));
}

/** Replaces the whole set. */
async function replaceTracks(call: Call, named: SQL): Promise<Reply> {
  const { db, me, now, array } = call;
  const where = recordingHere(call, named);
  const [[recording], there] = await db.perform([
    db.build.select({ id: files.id }).from(files).where(where),
    db.build
      .select({ locale: media_tracks.locale })
      .from(media_tracks)
      .where(sql`media_tracks.file_id in (${selectRecording(where)})`)
      .orderBy(asc(media_tracks.id)),
  ]);
  const { id: file_id } = found(recording);
  const given = givenTracks(array, new Set(there.map(({ locale }) => locale)));
  const locales = JSON.stringify(given.map(({ locale }) => locale));
  const changed = given.flatMap(({ locale, kind, content }): Statement[] => {
    const only = and(eq(media_tracks.file_id, file_id), eq(media_tracks.locale, locale));
    if (content === undefined) return kind === undefined ? [] : [db.build.update(media_tracks).set({ kind, updated_at: now }).where(only)];
    return [
      db.build
        .insert(media_tracks)
        .values({ file_id, locale, kind: kind ?? 'subtitles', content, user_id: me.id, created_at: now, updated_at: now })
        .onConflictDoUpdate({
          target: [media_tracks.file_id, media_tracks.locale],
          set: { content, ...(kind !== undefined && { kind }), updated_at: now },
        }),
    ];
  });
  return write(
    [
      ...refuseLockedRecording(db, file_id),
      db.build.run(sql`delete from media_tracks where file_id = ${file_id} and locale not in (select value from json_each(${locales}))`),
      ...changed,
    ],
    all(tracksOf(sql`select ${file_id}`)),
  );
}

/** The text of one track, as players read it. */
async function trackText(call: Call & { readonly id: number }): Promise<Reply> {
  const where = recordingHere(call, byMediaId.where(call.path));
  const only = rows(media_tracks, { where: sql`media_tracks.id = ${call.id} and media_tracks.file_id in (${selectRecording(where)})` });
  const [track] = (await readWithRecording(call, where, planListing(mediaTrack, only, call))).found;
  return rawResponse(
    new Response(toWebVtt(found(track).row.content), {
      headers: { 'Content-Type': 'text/vtt; charset=utf-8', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' },
    }),
  );
}

/** A page with a player, for texts that show it in a frame. */
async function play(call: Call, named: SQL): Promise<Reply> {
  const place = fileContextOf(call);
  if (!place?.reads) {
    if (!call.me.isKnown) return toLogin(call);
    throw notFound();
  }
  const where = recordingHere(call, named);
  const { recording, found: tracks } = await readWithRecording(
    call,
    where,
    planListing(mediaTrack, tracksOf(selectRecording(where)), call),
  );
  return htmlPage(
    playerPage(
      recording,
      tracks.map(({ json }) => json as { readonly url: string; readonly locale: string; readonly kind: string }),
    ),
    { headers: playerHeaders },
  );
}

const both = [
  { named: byMediaId, shown: mediaObject, noun: 'media object' },
  { named: byAttachment, shown: mediaAttachment, noun: 'media attachment' },
] as const;

const tracks = both.flatMap(({ named, noun }) => [
  get(
    `${named.address}/media_tracks`,
    {
      can: hereIfSeen('reads'),
      within: named.holders,
      include: trackIncludes,
      returns: [mediaTrack],
      summary: `List the media tracks of a ${noun}`,
    },
    (call) => listTracks(call, named.where(call.path)),
  ),
  put(
    `${named.address}/media_tracks`,
    {
      can: hereIfSeen('edits'),
      within: named.holders,
      include: trackIncludes,
      takesArray: true,
      returns: [mediaTrack],
      summary: `Update the media tracks of a ${noun}`,
    },
    (call) => replaceTracks(call, named.where(call.path)),
  ),
]);

const pages = both.flatMap(({ named, shown, noun }) => [
  get(`${named.address}/info`, { can: hereIfSeen('reads'), within: named.holders, returns: shown, summary: `Get a ${noun}` }, (call) =>
    one(rows(files, { where: recordingHere(call, named.where(call.path)) })),
  ),
  get(named.frame, { can: 'anyone', within: named.holders, returns: { json: null }, summary: `Play a ${noun} in a page` }, (call) =>
    play(call, named.where(call.path)),
  ),
]);

export const mediaTrackRoutes = [
  ...tracks,
  ...absolute(
    ...pages,
    get(
      `${byMediaId.address}/media_tracks/:id`,
      { can: hereIfSeen('reads'), within: byMediaId.holders, returns: { json: null }, summary: 'Get the WebVTT of a media track' },
      (call) => trackText(call),
    ),
  ),
];
