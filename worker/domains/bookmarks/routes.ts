// Bookmarks: every endpoint, in the order of the API reference.

import { int, json, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { invalid, Problem } from '../../http/problem';
import { list, one, oneOr, row, write } from '../../http/reply';
import { bookmark } from './json';
import { bookmarks } from './table';

export const about = { title: 'Bookmarks', description: 'Links that a user keeps.' };

const base = '/users/:user_id/bookmarks';
const can = 'self';
const params = { name: optional(text), url: optional(text), position: optional(int), data: optional(json) };

type Around = Pick<Call, 'db' | 'now'> & { readonly user: { readonly id: number } };

const ofUser = ({ user }: Around): SQL => eq(bookmarks.user_id, user.id);
const only = (call: Around & { readonly id: number }): SQL => and(ofUser(call), eq(bookmarks.id, call.id)) as SQL;

/** @throws Problem 400 for an invalid name */
function nameOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (given.trim() === '') throw invalid('name', 'blank', "can't be blank");
  if (given.length > 255) throw invalid('name', 'too_long', 'is too long (maximum is 255 characters)');
  return given;
}

/** @throws Problem 400 unless it is a web URL or a path on this host */
function urlOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (given.trim() === '') throw invalid('url', 'blank', "can't be blank");
  const isPath = /^\/(?!\/)/.test(given);
  if (given.length > 4096 || !(isPath || /^https?:$/.test(URL.parse(given)?.protocol ?? '')))
    throw invalid('url', 'invalid', 'is not a URL');
  return given;
}

/** Arbitrary data of the client. Copied because form objects have no prototype, and the statement builder needs one. */
const keptData = (given: unknown): unknown => (given === undefined ? undefined : JSON.parse(JSON.stringify(given)));

/** A bookmark that does not exist or belongs to another user is a 404 with an empty body (reference 05 §11). */
const nothing = () => new Problem(404, '', { 'Content-Type': 'text/plain; charset=utf-8' });
function there<T>(bookmark: T | undefined): T {
  if (bookmark === undefined) throw nothing();
  return bookmark;
}

const last = (user: SQL) => sql`(select coalesce(max(b.position), 0) + 1 from bookmarks b where ${user})`;

/** Shifts every bookmark from a position on by one. */
const makeRoom = (position: number | undefined, call: Around): Statement[] =>
  position === undefined
    ? []
    : [
        call.db.build
          .update(bookmarks)
          .set({ position: sql`position + 1` })
          .where(and(ofUser(call), sql`position >= ${Math.max(1, position)}`)),
      ];

/** Renumbers the positions from one, keeping the order. */
const closeGaps = ({ db, user }: Around): Statement =>
  db.build.run(sql`update bookmarks set position = o.place from (select id, row_number() over (order by position, id) as place from bookmarks where user_id = ${user.id}) o
    where o.id = bookmarks.id and bookmarks.position <> o.place`);

export const bookmarkRoutes = [
  get(base, { can, returns: [bookmark], summary: 'List bookmarks' }, (call) =>
    list(rows(bookmarks, { where: ofUser(call), order: ascending(bookmarks.position, bookmarks.id) })),
  ),

  post(base, { can, params, returns: bookmark, summary: 'Create a bookmark' }, (call) => {
    const { db, now, user, params: given } = call;
    const name = nameOf(given.name ?? '') ?? '';
    const url = urlOf(given.url ?? '') ?? '';
    return write(
      [
        ...makeRoom(given.position, call),
        db.build.insert(bookmarks).values({
          user_id: user.id,
          name,
          url,
          position:
            given.position === undefined
              ? last(sql`b.user_id = ${user.id}`)
              : sql`min(${Math.max(1, given.position)}, ${last(sql`b.user_id = ${user.id}`)})`,
          data: keptData(given.data) ?? null,
          created_at: now,
          updated_at: now,
        }),
        closeGaps(call),
      ],
      one(rows(bookmarks, { where: sql`bookmarks.id = (select max(b.id) from bookmarks b where b.user_id = ${user.id})` })),
    );
  }),

  get(`${base}/:id`, { can, returns: bookmark, summary: 'Get a bookmark' }, (call) =>
    oneOr(rows(bookmarks, { where: only(call) }), nothing),
  ),

  put(`${base}/:id`, { can, params, returns: bookmark, summary: 'Update a bookmark' }, async (call) => {
    const { db, now, params: given } = call;
    const { position } = given;
    const values = { name: nameOf(given.name), url: urlOf(given.url), data: keptData(given.data), updated_at: now };
    const [[before]] = await db.perform([db.build.select().from(bookmarks).where(only(call))]);
    const stands = there(before).position;
    const moves = position !== undefined && Math.max(1, position) !== stands;
    // Moving down skips the bookmark's own old position.
    const target = moves ? Math.max(1, position) + (Math.max(1, position) > stands ? 1 : 0) : undefined;
    return write(
      [
        ...makeRoom(target, call),
        db.build
          .update(bookmarks)
          .set({ ...values, ...(target !== undefined && { position: target }) })
          .where(only(call)),
        closeGaps(call),
      ],
      one(rows(bookmarks, { where: only(call) })),
    );
  }),

  del(`${base}/:id`, { can, returns: bookmark, summary: 'Delete a bookmark' }, async (call) => {
    const { db } = call;
    const [[gone]] = await db.perform([db.build.select().from(bookmarks).where(only(call))]);
    const it = there(gone);
    return write([db.build.delete(bookmarks).where(only(call)), closeGaps(call)], row(it));
  }),
];
