// How pages are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, notDeletedAs, ofCourseContext } from '../../rules/copied_kind';
import { pages } from './table';

export const pageCopied: CopiedKindFacts = {
  kind: 'page',
  table: pages,
  asset: 'wiki_page',
  title: 'title',
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${notDeletedAs(a)}`,
  text: 'body',
  kept: ['url', 'front_page', 'last_edited_by_id'],
  renamed: ['title', 'url'],
  differing: ({ to, user_id }) => ({
    context_id: shared('course', to),
    last_edited_by_id: shared('user', user_id),
    front_page: sql`(o.front_page and not exists (select 1 from pages p where ${ofCourseContext('p', shared('course', to))} and p.front_page = 1 and ${notDeletedAs('p')}))`,
  }),
};
