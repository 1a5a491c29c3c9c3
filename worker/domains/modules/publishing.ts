// Publishing or unpublishing a module applies to its items and their content; items that cannot follow stay, and are reported.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { theIds } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import { changeUnlocked } from '../../rules/blueprint_locks';
import { changeQuizzes } from '../../rules/graded_quizzes';
import { changeAssignments, changeTopics } from '../../rules/graded_topics';
import { files } from '../files/table';
import { pages } from '../pages/table';
import { contentColumn } from './items/content';
import { module_items } from './table';

const contentOf = (items: SQL, type: string): SQL =>
  sql`select content_id from module_items where id in (${items}) and type = ${type} and workflow_state = 'active'`;
/** Assignments of graded discussions. */
const gradedBy = (items: SQL): SQL =>
  sql`select assignment_id from discussion_topics where id in (${contentOf(items, 'Discussion')}) and assignment_id is not null`;

/** Assignments of graded quizzes. */
const quizzedBy = (items: SQL): SQL =>
  sql`select assignment_id from quizzes where id in (${contentOf(items, 'Quiz')}) and assignment_id is not null`;

const attempted = sql.raw(
  "exists (select 1 from quiz_submissions a where a.quiz_id = quizzes.id and a.workflow_state not in ('settings_only', 'preview'))",
);
const worked = sql.raw(
  "exists (select 1 from submissions s where s.assignment_id = assignments.id and s.submission_type is not null and s.workflow_state <> 'deleted')",
);
const discussed =
  sql.raw(`(exists (select 1 from discussion_entries e join enrollments n on n.user_id = e.user_id and n.course_id = discussion_topics.context_id and n.type = 'StudentEnrollment'
    where e.discussion_topic_id = discussion_topics.id and e.workflow_state = 'active')
  or exists (select 1 from discussion_topics child where child.root_topic_id = discussion_topics.id and child.entry_count > 0)
  or exists (select 1 from submissions s where s.assignment_id = discussion_topics.assignment_id and s.submission_type is not null and s.workflow_state <> 'deleted'))`);

/** With this course setting, files without usage rights stay unpublished. */
const wantsRights = (course: Pick<CourseContext, 'settings'>): boolean => course.settings.usage_rights_required === true;

/**
 * Publishes or unpublishes items and their content.
 * @param items a select of item ids
 */
export function setPublished(
  db: Database,
  course: Pick<CourseContext, 'settings'>,
  items: SQL,
  isPublished: boolean,
  now: string,
): Statement[] {
  const updated_at = now;
  const standsAlone = sql`module_items.id in (${items}) and module_items.type in ('SubHeader', 'ExternalUrl', 'ExternalTool') and module_items.workflow_state = 'active'`;
  const headings = db.build.update(module_items).set({ published: isPublished, updated_at }).where(standsAlone);
  const of = (type: string) => contentOf(items, type);
  const graded = sql`${of('Assignment')} union ${gradedBy(items)} union ${quizzedBy(items)}`;
  if (isPublished)
    return [
      headings,
      ...changeUnlocked(
        db,
        pages,
        { workflow_state: 'active', publish_at: null },
        sql`pages.id in (${of('Page')}) and pages.workflow_state = 'unpublished'`,
      ),
      ...changeTopics(
        db,
        of('Discussion'),
        // A delayed topic stays delayed.
        {
          workflow_state: sql`case when delayed_post_at > ${now} then 'post_delayed' else 'active' end`,
          posted_at: now,
          last_reply_at: now,
          updated_at,
        },
        sql`discussion_topics.workflow_state = 'unpublished'`,
      ),
      ...changeQuizzes(
        db,
        of('Quiz'),
        { workflow_state: 'available', published_at: now, updated_at },
        sql`quizzes.assignment_id is null and quizzes.workflow_state = 'unpublished'`,
      ),
      ...changeAssignments(db, graded, { workflow_state: 'published', updated_at }, sql`assignments.workflow_state = 'unpublished'`),
      ...changeUnlocked(
        db,
        files,
        { locked: false, updated_at },
        sql`files.id in (${of('File')}) and files.locked = 1 and files.hidden = 0${wantsRights(course) ? sql` and files.usage_rights is not null` : sql``}`,
      ),
    ];
  return [
    headings,
    ...changeUnlocked(
      db,
      pages,
      { workflow_state: 'unpublished' },
      sql`pages.id in (${of('Page')}) and pages.workflow_state = 'active' and pages.front_page = 0`,
    ),
    // Assignments first, because the condition on discussions also looks at their assignments.
    ...changeAssignments(
      db,
      graded,
      { workflow_state: 'unpublished', updated_at },
      sql`assignments.workflow_state = 'published' and not ${worked}`,
    ),
    ...changeQuizzes(
      db,
      of('Quiz'),
      { workflow_state: 'unpublished', updated_at },
      sql`quizzes.assignment_id is null and quizzes.workflow_state = 'available' and not ${attempted}`,
    ),
    ...changeTopics(
      db,
      of('Discussion'),
      { workflow_state: 'unpublished', updated_at },
      sql`discussion_topics.workflow_state in ('active', 'post_delayed') and not ${discussed}`,
    ),
    ...changeUnlocked(db, files, { locked: true, updated_at }, sql`files.id in (${of('File')}) and files.locked = 0`),
  ];
}

/** The live items of modules, as a select of ids. */
export const itemsOfModules = (module_ids: readonly number[]): SQL =>
  sql`select id from module_items where module_id in (${theIds(module_ids)}) and workflow_state = 'active'`;

/** Reads what decides whether items can follow their module. */
export const selectFollowers = (db: Database, module_ids: readonly number[], now: string) =>
  db.build
    .select({
      id: module_items.id,
      title: module_items.title,
      type: module_items.type,
      requirement_type: module_items.requirement_type,
      content: contentColumn(true, undefined, now),
    })
    .from(module_items)
    .where(sql`module_items.id in (${itemsOfModules(module_ids)})`);

interface Follower {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly content: {
    readonly unpublishable: boolean;
    readonly hidden: boolean | null;
    readonly locked: boolean | null;
    readonly usage_rights: unknown;
  };
}

export interface Warnings {
  readonly publish_warning: boolean;
  readonly unpublish_warning: boolean;
  readonly publish_warning_items?: { id: number; title: string; reason: string }[];
}

/** The reason why a file stays unchanged, if it does. */
function staysBack({ type, content }: Follower, course: Pick<CourseContext, 'settings'>): string | undefined {
  if (type !== 'File' || !content.locked) return undefined;
  if (content.hidden) return 'file_in_hidden_folder';
  return wantsRights(course) && !content.usage_rights ? 'usage_rights_required' : undefined;
}

/** Warnings for items that could not follow. */
export function warningsOf(followers: readonly Follower[], course: Pick<CourseContext, 'settings'>, wanted: boolean | undefined): Warnings {
  if (wanted === undefined) return { publish_warning: false, unpublish_warning: false };
  const reasonOf = (one: Follower) => (wanted ? staysBack(one, course) : one.content.unpublishable ? undefined : 'unpublishable');
  const stuck = followers.flatMap((one) => {
    const reason = reasonOf(one);
    return reason === undefined ? [] : [{ id: one.id, title: one.title, reason }];
  });
  return {
    publish_warning: wanted && stuck.length > 0,
    unpublish_warning: !wanted && stuck.length > 0,
    ...(stuck.length > 0 && { publish_warning_items: stuck }),
  };
}
