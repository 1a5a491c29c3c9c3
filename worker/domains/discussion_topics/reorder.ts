// Reorders pinned topics.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import type { ForumPlace } from './place';
import { presentTopics } from './policy';
import { discussion_topics } from './table';

export const selectForReorder = ({ build }: Database, course: ForumPlace) =>
  build
    .select({ id: discussion_topics.id })
    .from(discussion_topics)
    .where(sql`${presentTopics(course)} and discussion_topics.pinned = 1 and discussion_topics.is_announcement = 0`)
    .orderBy(discussion_topics.position, discussion_topics.id);

/** The first gets position 1. */
export const reorderStatement = ({ build }: Database, ids: readonly number[]): Statement =>
  build.run(
    sql`update discussion_topics set position = (select json_each.key + 1 from json_each(${JSON.stringify(ids)}) where json_each.value = discussion_topics.id) where id in (select value from json_each(${JSON.stringify(ids)}))`,
  );
