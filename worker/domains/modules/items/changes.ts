// Module item content: which content clients may add to a module, and the effects of renaming and publishing an item.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Database, Statement } from '../../../database/open';
import { problem } from '../../../http/problem';
import { changeUnlocked } from '../../../rules/blueprint_locks';
import { changeQuizzes } from '../../../rules/graded_quizzes';
import { changeAssignments, changeTopics } from '../../../rules/graded_topics';
import { type PageRow, revisePage } from '../../../rules/pages/rows';
import { pageIdOf, type WikiContext } from '../../../rules/pages/which';
import { files } from '../../files/table';
import type { itemTypes } from '../table';
import type { ItemContent } from './content';

type ItemType = (typeof itemTypes)[number];

export interface ItemGiven {
  readonly type?: ItemType;
  readonly content_id?: number | null;
  readonly page_url?: string;
  readonly external_url?: string | null;
  readonly title?: string;
}

/** The content of a new item. */
interface Chosen {
  readonly type: ItemType;
  readonly content_id: number | null;
  readonly title: string;
  readonly is_graded: number;
}

/** Reads the requested content; an assignment that grades a discussion or quiz is added as that. */
export function selectChosen(db: Database, course: CourseContext, given: ItemGiven) {
  const id = given.content_id ?? 0;
  const wiki: WikiContext = { context_type: 'Course', context_id: course.id };
  const from: Partial<Record<ItemType, SQL>> = {
    Page: sql`select 'Page' as type, id as content_id, title, 0 as is_graded from pages where id = (${given.page_url === undefined ? sql`select ${id}` : pageIdOf(wiki, given.page_url)}) and context_type = 'Course' and context_id = ${course.id} and workflow_state <> 'deleted'`,
    Assignment: sql`select case when t.id is not null then 'Discussion' when z.id is not null then 'Quiz' else 'Assignment' end as type, coalesce(t.id, z.id, a.id) as content_id, coalesce(t.title, a.name) as title, 1 as is_graded
      from assignments a left join discussion_topics t on t.assignment_id = a.id and t.workflow_state <> 'deleted' and t.root_topic_id is null
        left join quizzes z on z.assignment_id = a.id and z.workflow_state <> 'deleted'
      where a.id = ${id} and a.course_id = ${course.id} and a.workflow_state <> 'deleted' limit 1`,
    Discussion: sql`select 'Discussion' as type, id as content_id, title, assignment_id is not null as is_graded from discussion_topics
      where id = ${id} and context_type = 'Course' and context_id = ${course.id} and is_announcement = 0 and workflow_state <> 'deleted'`,
    Quiz: sql`select 'Quiz' as type, id as content_id, title, assignment_id is not null as is_graded from quizzes
      where id = ${id} and course_id = ${course.id} and workflow_state <> 'deleted'`,
    File: sql`select 'File' as type, id as content_id, display_name as title, 0 as is_graded from files
      where id = ${id} and context_type = 'Course' and context_id = ${course.id} and workflow_state = 'available'`,
    ExternalTool: sql`select 'ExternalTool' as type, id as content_id, name as title, 0 as is_graded from external_tools where id = ${id} and workflow_state = 'active'
      and ((context_type = 'Course' and context_id = ${course.id}) or (context_type = 'Account' and context_id in (select value from json_each(${JSON.stringify(course.chain)}))))`,
  };
  const nothing = sql`select '' as type, 0 as content_id, '' as title, 0 as is_graded where 0`;
  return db.build
    .select({
      type: sql<ItemType>`type`.as('type'),
      content_id: sql<number | null>`content_id`.as('content_id'),
      title: sql<string>`title`.as('title'),
      is_graded: sql<number>`is_graded`.as('is_graded'),
    })
    .from(sql`(${(given.type && from[given.type]) ?? nothing})`);
}

/** @throws Problem 400 for a missing parameter of the type, or unknown content */
export function chosenOf(given: ItemGiven, found: readonly Chosen[]): Chosen {
  const title = given.title?.trim();
  const alone = (type: ItemType, name: string): Chosen => ({ type, content_id: null, title: title || name, is_graded: 0 });
  switch (given.type) {
    case 'SubHeader':
      return alone('SubHeader', 'No title');
    case 'ExternalUrl':
      if (!given.external_url) throw problem(400, 'missing external_url parameter');
      return alone('ExternalUrl', given.external_url);
    case 'ExternalTool':
      if (!given.external_url) throw problem(400, 'missing external_url parameter');
      if (!given.content_id) return alone('ExternalTool', given.external_url);
      if (!found[0]) throw problem(400, 'Could not find content');
      break;
    case 'Page':
      if (!given.page_url && !given.content_id) throw problem(400, 'missing page_url parameter');
      if (!found[0]) throw problem(400, 'invalid page_url parameter');
      break;
    default:
      if (!found[0]) throw problem(400, 'Could not find content');
  }
  return { ...found[0], title: title || found[0].title };
}

export interface CurrentItem {
  readonly id: number;
  readonly type: ItemType;
  readonly content_id: number | null;
  readonly title: string;
  readonly content: ItemContent;
}

/** Statements that rename an item's content; triggers rename all its items. */
export function renameContent(
  db: Database,
  item: CurrentItem,
  page: { row: PageRow; columns: { title: string; url: string } } | undefined,
  title: string,
  user_id: number,
  now: string,
): Statement[] {
  const id = item.content_id ?? 0;
  switch (item.type) {
    case 'Page':
      return page ? revisePage(db, page.row, page.columns, user_id, now) : [];
    case 'Assignment':
      return changeAssignments(db, sql`${id}`, { name: title, updated_at: now });
    case 'Discussion':
      return changeTopics(db, sql`${id}`, { title, updated_at: now });
    case 'Quiz':
      return changeQuizzes(db, sql`${id}`, { title, updated_at: now });
    case 'File':
      return changeUnlocked(db, files, { display_name: title, updated_at: now }, eq(files.id, id));
    default:
      return [];
  }
}
