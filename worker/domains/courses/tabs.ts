// The tabs of a course: which exist, in which order, and for whom (reference 02 §1.8).

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Database } from '../../database/open';
import { withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { labelIn } from '../../rules/tool_placements';
import type { PlacementSettings, ToolSettings } from '../external_tools/table';

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

/** An external tool in the navigation of a course. */
interface ToolTab {
  readonly id: number;
  readonly name: string;
  readonly settings: ToolSettings;
  readonly placement: PlacementSettings;
}

const toolTabId = (tool_id: number) => `context_external_tool_${tool_id}`;
const storedTabs = ({ settings }: { readonly settings: Record<string, unknown> }): readonly TabConfiguration[] =>
  Array.isArray(settings.tab_configuration) ? (settings.tab_configuration as TabConfiguration[]) : [];

/** Whether the navigation of a course hides a tool: as its teachers chose, else as the tool starts. */
export const hidesTool = (
  course: { readonly settings: Record<string, unknown> },
  tool_id: number,
  placement: PlacementSettings,
): boolean => {
  const stored = storedTabs(course).find(({ id }) => id === toolTabId(tool_id));
  return stored ? stored.hidden === true : placement.default === 'disabled';
};

/** Whether the caller sees the tab of a tool. */
export const seesTab = (
  course: Pick<CourseContext, 'readsAsAdmin' | 'mine'>,
  { visibility }: PlacementSettings,
  isHidden: boolean,
): boolean => course.readsAsAdmin || (!isHidden && (visibility === 'members' ? course.mine.length > 0 : visibility !== 'admins'));

/** Tabs in the course's own order; new ones come after those, before the settings. */
export function configurationOf(course: { settings: Record<string, unknown> }, tools: readonly ToolTab[] = []): TabConfiguration[] {
  const all = [...ids, ...tools.map(({ id }) => toolTabId(id))];
  const chosen = storedTabs(course).filter(({ id }) => all.includes(id) && !fixed.has(id));
  const rest = all
    .filter((id) => !fixed.has(id) && !chosen.some((one) => one.id === id))
    .map((id) => ({
      id,
      ...(tools.some((tool) => toolTabId(tool.id) === id && tool.placement.default === 'disabled') && { hidden: true }),
    }));
  return [{ id: 'home' }, ...chosen, ...rest, { id: 'settings' }];
}

export interface TabUse extends Readonly<Record<string, unknown>> {
  readonly course_id: number;
  /** JSON of the tools in the navigation. */
  readonly tools: string;
}

/** The tools of a row. */
export const toolTabsOf = (use: TabUse | undefined): readonly ToolTab[] => (use ? (JSON.parse(use.tools) as ToolTab[]) : []);

const toolsOfCourse =
  sql.raw(`(select json_group_array(json_object('id', id, 'name', name, 'settings', json(settings), 'placement', json(placement))) from (
  select t.id, t.name, t.settings, p.value as placement from external_tools t join json_each(t.placements) p on p.key = 'course_navigation'
  where t.workflow_state = 'active' and t.context_type = 'Course' and t.context_id = courses.id
  union all select t.id, t.name, t.settings, p.value from account_ancestors a
  join external_tools t on t.context_type = 'Account' and t.context_id = a.ancestor_id and t.workflow_state = 'active'
  join json_each(t.placements) p on p.key = 'course_navigation' where a.account_id = courses.account_id order by 1))`);

/** Reads which tabs have content: one row per course. */
export const tabUse = (db: Database, courseIds: SQL) => {
  const used = Object.entries(tabFacts).flatMap(([id, { content }]) => (content ? [{ id, content }] : []));
  return withColumns(
    db.build.all<TabUse>(
      sql`select courses.id as course_id, ${toolsOfCourse} as tools, ${sql.join(
        used.map(({ id, content }) => sql`${content} as ${sql.identifier(id)}`),
        sql`, `,
      )} from courses where courses.id in (${courseIds})`,
    ),
    ['course_id', 'tools', ...used.map(({ id }) => id)],
  );
};

function toolTab({ id: tool_id, name, settings, placement }: ToolTab, hidden: boolean | undefined, course: CourseContext, at: At) {
  const id = toolTabId(tool_id);
  const html_url = `/courses/${course.id}/external_tools/${tool_id}`;
  const declared = placement.visibility === 'admins' || placement.visibility === 'members' ? placement.visibility : 'public';
  return {
    id,
    html_url,
    full_url: `${at.origin}${html_url}`,
    position: at.position,
    label: labelIn({ name, version: '1.1', settings, placements: {}, not_selectable: false }, placement, at.locale),
    type: 'external',
    visibility: hidden === true ? ('admins' as const) : declared,
    url: `${at.origin}/api/v1/courses/${course.id}/external_tools/sessionless_launch?id=${tool_id}&launch_type=course_navigation`,
    ...(hidden === true && { hidden }),
  };
}

interface At {
  readonly origin: string;
  readonly position: number;
  readonly locale?: string | null;
}

type TabsCall = Pick<Call, 'origin' | 'me'>;

/** The tabs that are visible to the caller. */
export function tabsJson(course: CourseContext, use: TabUse | undefined, { origin, me }: TabsCall): object[] {
  const seesAll = course.readsAsAdmin;
  const tools = toolTabsOf(use);
  return configurationOf(course, tools)
    .map(({ id, hidden }, at) => {
      const tool = tools.find((one) => toolTabId(one.id) === id);
      if (tool) return toolTab(tool, hidden, course, { origin, position: at + 1, locale: me.user.locale });
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
