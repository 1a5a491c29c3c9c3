// The tabs of a course: which exist, in which order, and for whom (reference 02 §1.8).

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Database } from '../../database/open';
import { withColumns } from '../../database/together';

interface TabFacts {
  readonly label: string;
  /** Path below the course. */
  readonly path: string;
  readonly membersOnly?: boolean;
  readonly adminsOnly?: boolean;
  /** Whether it has content; absent for tabs that are never empty. */
  readonly content?: SQL;
}

const inCourse = (table: string, more: string) =>
  sql.raw(`exists (select 1 from ${table} where context_type = 'Course' and context_id = courses.id and ${more})`);
const ofCourse = (table: string, more: string) => sql.raw(`exists (select 1 from ${table} where course_id = courses.id and ${more})`);
/** Features that Carrel does not have are always empty. */
const nothing = sql.raw('0');

/** In default order. */
const tabFacts: Readonly<Record<string, TabFacts>> = {
  home: { label: 'Home', path: '' },
  announcements: {
    label: 'Announcements',
    path: '/announcements',
    content: inCourse('discussion_topics', "is_announcement = 1 and workflow_state <> 'deleted'"),
  },
  assignments: { label: 'Assignments', path: '/assignments', content: ofCourse('assignments', "workflow_state <> 'deleted'") },
  discussions: {
    label: 'Discussions',
    path: '/discussion_topics',
    content: inCourse('discussion_topics', "is_announcement = 0 and workflow_state <> 'deleted'"),
  },
  grades: { label: 'Grades', path: '/grades', membersOnly: true },
  people: { label: 'People', path: '/users', membersOnly: true },
  pages: { label: 'Pages', path: '/wiki', content: inCourse('pages', "workflow_state <> 'deleted'") },
  files: { label: 'Files', path: '/files', content: inCourse('files', "workflow_state = 'available'") },
  syllabus: { label: 'Syllabus', path: '/assignments/syllabus' },
  outcomes: { label: 'Outcomes', path: '/outcomes', content: nothing },
  rubrics: { label: 'Rubrics', path: '/rubrics', content: nothing },
  quizzes: { label: 'Quizzes', path: '/quizzes', content: ofCourse('quizzes', "workflow_state <> 'deleted'") },
  modules: { label: 'Modules', path: '/modules', content: ofCourse('modules', "workflow_state <> 'deleted'") },
  conferences: { label: 'BigBlueButton', path: '/conferences', content: nothing },
  collaborations: { label: 'Collaborations', path: '/collaborations', content: inCourse('collaborations', "workflow_state = 'active'") },
  settings: { label: 'Settings', path: '/settings', adminsOnly: true },
};

const ids = Object.keys(tabFacts);
/** Tabs that cannot be moved or hidden. */
export const fixed = new Set(['home', 'settings']);

export interface TabConfiguration {
  readonly id: string;
  readonly hidden?: boolean;
}

/** Tabs in the course's own order; new ones come after those, before the settings. */
export function configurationOf(course: { settings: Record<string, unknown> }): TabConfiguration[] {
  const stored = Array.isArray(course.settings.tab_configuration) ? (course.settings.tab_configuration as TabConfiguration[]) : [];
  const chosen = stored.filter(({ id }) => ids.includes(id) && !fixed.has(id));
  const rest = ids.filter((id) => !fixed.has(id) && !chosen.some((one) => one.id === id)).map((id) => ({ id }));
  return [{ id: 'home' }, ...chosen, ...rest, { id: 'settings' }];
}

export type TabUse = Record<string, number> & { readonly course_id: number };

/** Reads which tabs have content: one row per course. */
export const tabUse = (db: Database, courseIds: SQL) => {
  const used = Object.entries(tabFacts).flatMap(([id, { content }]) => (content ? [{ id, content }] : []));
  return withColumns(
    db.build.all<TabUse>(
      sql`select courses.id as course_id, ${sql.join(
        used.map(({ id, content }) => sql`${content} as ${sql.identifier(id)}`),
        sql`, `,
      )} from courses where courses.id in (${courseIds})`,
    ),
    ['course_id', ...used.map(({ id }) => id)],
  );
};

/** The tabs that are visible to the caller. */
export function tabsJson(course: CourseContext, use: TabUse | undefined, origin: string): object[] {
  const seesAll = course.readsAsAdmin;
  return configurationOf(course)
    .map(({ id, hidden }, at) => {
      const facts = lookUp(tabFacts, id) as TabFacts;
      const isUnused = facts.content !== undefined && lookUp(use, id) !== 1;
      const forAdmins = facts.adminsOnly === true || hidden === true || isUnused;
      const html_url = `/courses/${course.id}${facts.path}`;
      return {
        id,
        html_url,
        full_url: `${origin}${html_url}`,
        position: at + 1,
        label: facts.label,
        type: 'internal',
        visibility: forAdmins ? 'admins' : facts.membersOnly ? 'members' : 'public',
        ...(hidden === true && { hidden }),
        ...(isUnused && { unused: true }),
      };
    })
    .filter(({ visibility }) => seesAll || visibility === 'public' || (visibility === 'members' && course.mine.length > 0));
}

/** The configuration after moving or hiding a tab. */
export function rearranged(
  before: readonly TabConfiguration[],
  id: string,
  position: number | undefined,
  hidden: boolean | undefined,
): TabConfiguration[] {
  const moved = before.find((one) => one.id === id);
  if (!moved) return [...before];
  const others = before.filter((one) => one.id !== id);
  const at = position === undefined ? before.indexOf(moved) : position - 1;
  const isHidden = hidden ?? moved.hidden ?? false;
  return [...others.slice(0, at), { id, ...(isHidden && { hidden: true }) }, ...others.slice(at)];
}
