// Titles and captions of copied recordings. A new copy has them by a trigger (database/triggers/recordings.ts); here, a repeated copy gets those of today.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import type { Route } from './copied_kind';

/** A package that has no captions states nothing about them, so that those of the course stay. */
const fromCourse = ({ from }: Route): SQL => sql`exists (select 1 from courses c where c.id = ${from} and c.account_id <> 0)`;

/** @param ids a select of the original files */
export function recordingsFollowCopies(db: Database, ids: SQL, route: Route): Statement[] {
  const { to, copy_id, now } = route;
  const stamp = shared('time', now);
  const copies = sql`l.course_id = ${shared('course', to)} and l.kind = 'file' and l.source_id in ${ids} and l.copy_id = ${shared('item', copy_id)}`;
  return [
    db.build.run(sql`delete from media_tracks where id in (
        select t.id from copied_items l join media_tracks t on t.file_id = l.item_id where ${copies}
          and not exists (select 1 from media_tracks o where o.file_id = l.source_id and o.locale = t.locale)) and ${fromCourse(route)}`),
    db.build.run(sql`insert into media_tracks (file_id, locale, kind, content, user_id, created_at, updated_at)
      select l.item_id, o.locale, o.kind, o.content, o.user_id, ${stamp}, ${stamp} from copied_items l join media_tracks o on o.file_id = l.source_id
      where ${copies} and not exists (select 1 from media_tracks t where t.file_id = l.item_id and t.locale = o.locale and t.kind = o.kind and t.content = o.content)
      order by o.id on conflict (file_id, locale) do update set kind = excluded.kind, content = excluded.content, updated_at = excluded.updated_at`),
    db.build.run(sql`insert into media_titles (id, user_entered_title, created_at, updated_at)
      select l.item_id, o.user_entered_title, ${stamp}, ${stamp} from copied_items l join media_titles o on o.id = l.source_id
      where ${copies} and not exists (select 1 from media_titles t where t.id = l.item_id and t.user_entered_title = o.user_entered_title)
      on conflict (id) do update set user_entered_title = excluded.user_entered_title, updated_at = excluded.updated_at`),
  ];
}
