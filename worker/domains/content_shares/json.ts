// Shares as their owners see them.

import { ContentShare } from '@carrel/shared/resources/content_share';
import { sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { contentExport } from '../content_exports/json';
import { content_exports } from '../content_exports/table';
import { displayRows, userDisplay } from '../users/display';
import { content_shares } from './table';

type ShareRow = RowOf<typeof content_shares>;

export const contentShare = serializer({
  resource: ContentShare,
  table: content_shares,
  also: (ids, { db }) => {
    const together = sql`select s.share_uuid from content_shares s where ${isInSelect(sql`s.id`, ids)} and s.kind = 'sent'`;
    const others = sql`select r.user_id from content_shares r where r.share_uuid in (${together}) and r.kind = 'received'
      union select s.sender_id from content_shares s where ${isInSelect(sql`s.id`, ids)}`;
    return {
      people: displayRows(db, others),
      receivers: db.build
        .select({ share_uuid: content_shares.share_uuid, user_id: content_shares.user_id })
        .from(content_shares)
        .where(sql`content_shares.share_uuid in (${together}) and content_shares.kind = 'received'`)
        .orderBy(content_shares.id),
      courses: db.build.all<{ id: number; name: string }>(
        sql`select c.id, c.name from courses c where c.id in (select s.course_id from content_shares s where ${isInSelect(sql`s.id`, ids)})`,
      ),
      exports: embed(
        contentExport,
        rows(content_exports, {
          where: isInSelect(content_exports.id, sql`select s.content_export_id from content_shares s where ${isInSelect(sql`s.id`, ids)}`),
        }),
      ),
    };
  },
  json(row: ShareRow, { origin, me }, { people, receivers, courses, exports }) {
    const person = (id: number) =>
      userDisplay(
        people.find((one) => one.id === id),
        origin,
      );
    const made = exports.find((one) => one.row.id === row.content_export_id)?.json ?? null;
    const course = courses.find(({ id }) => id === row.course_id);
    return {
      ...row,
      sender: row.kind === 'received' ? person(row.sender_id) : null,
      receivers: receivers
        .filter(({ share_uuid }) => row.kind === 'sent' && share_uuid === row.share_uuid)
        .map(({ user_id }) => person(user_id)),
      source_course: course ? { id: course.id, name: course.name } : null,
      // The package has unpublished content and keys of quizzes: it is for the sender and the receivers alone.
      content_export: made && (row.user_id === me.id ? made : { ...made, attachment: undefined }),
    };
  },
});
