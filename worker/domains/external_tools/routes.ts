// External tools: every endpoint, in the order of the API reference. Launches are in launch/routes.ts.

import { FavoriteTools, NavigationTool } from '@carrel/shared/resources/external_tool';
import { bool, commaList, listOf, optional, referenceTo, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { courseContextsOf, courseStatements } from '../../contexts/several';
import { contains, theIds } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, notFound, problem, termTooShort } from '../../http/problem';
import { answer, list, type Reply, row, write } from '../../http/reply';
import { placementOf } from '../../rules/tool_placements';
import { hidesTool, seesTab } from '../courses/tabs';
import { toolParams } from './input';
import { externalTool, navigationToolJson, type ToolRow } from './json';
import { onlyTool, ownTools, placedIn, selectableTools, type ToolContext, toolContextOf, toolsFrom, toolsOfCourses } from './policy';
import { external_tools as tools } from './table';
import { createTool, updateTool } from './writes';

export const about = {
  title: 'External tools',
  description: 'Tools of other services that are opened from courses, with LTI 1.1 and 1.3.',
};

const wanted = {
  search_term: searchTerm,
  selectable: optional(bool),
  include_parents: optional(bool),
  placement: optional(listOf(text)),
};

interface Wanted {
  readonly search_term?: string;
  readonly selectable?: boolean;
  readonly include_parents?: boolean;
  readonly placement?: readonly string[];
}

/** @throws Problem 400 for a term that is too short */
function listTools(context: ToolContext, { search_term, selectable, include_parents, placement }: Wanted): Reply {
  if (search_term !== undefined && search_term.length < 2) throw termTooShort();
  const more: SQL | undefined = and(
    search_term === undefined ? undefined : contains(tools.name, search_term),
    selectable ? selectableTools : undefined,
    placement?.length ? placedIn(placement) : undefined,
  );
  if (include_parents) return list(toolsFrom(context, more));
  return list(rows(tools, { where: and(ownTools(context), more), order: ascending(tools.id) }));
}

/** The settings of a course are read by its members, those of an account by every user (reference 06 §6.1). */
const mayRead = ({ me, course, account }: Pick<Call, 'me' | 'course' | 'account'>): boolean =>
  account ? me.isKnown : (course?.canRead ?? false);

const ofContexts = (['/courses/:course_id', '/accounts/:account_id'] as const).flatMap((place) => {
  const all = `${place}/external_tools` as const;
  return [
    get(all, { can: mayRead, params: wanted, returns: [externalTool], summary: 'List external tools' }, (call) =>
      listTools(toolContextOf(call), call.params),
    ),

    post(all, { can: 'manage_lti_add', params: toolParams, returns: externalTool, summary: 'Create an external tool' }, (call) =>
      createTool(call, toolContextOf(call)),
    ),

    get(`${all}/:external_tool_id`, { can: mayRead, returns: externalTool, summary: 'Get an external tool' }, async (call) => {
      const where = onlyTool(toolContextOf(call), toolIdOf(call.path));
      const [[tool]] = await call.db.perform([call.db.build.select().from(tools).where(where)]);
      return row(found(tool));
    }),

    put(
      `${all}/:external_tool_id`,
      { can: 'manage_lti_edit', params: toolParams, returns: externalTool, summary: 'Update an external tool' },
      (call) => updateTool(call, toolContextOf(call), toolIdOf(call.path)),
    ),

    del(
      `${all}/:external_tool_id`,
      { can: 'manage_lti_delete', returns: externalTool, summary: 'Delete an external tool' },
      async (call) => {
        const { db, now } = call;
        const where = onlyTool(toolContextOf(call), toolIdOf(call.path));
        const [[tool]] = await db.perform([db.build.select().from(tools).where(where)]);
        return write(
          [db.build.update(tools).set({ workflow_state: 'deleted', updated_at: now }).where(where)],
          row({ ...found(tool), workflow_state: 'deleted' }),
        );
      },
    ),
  ];
});

/** The number of a path; 0, which is no tool, for another text. */
const toolIdOf = ({ external_tool_id }: { readonly external_tool_id: string }): number =>
  /^\d{1,15}$/.test(external_tool_id) ? Number(external_tool_id) : 0;

/** Tools in the navigation of a course that the caller sees, in its order. */
function navigationOf(course: CourseContext, found: readonly ToolRow[], call: Pick<Call, 'me'>): object[] {
  return found
    .filter((tool) => {
      const placement = placementOf(tool, 'course_navigation');
      return placement !== undefined && seesTab(course, placement, hidesTool(course, tool.id, placement));
    })
    .map((tool) => navigationToolJson(tool, call, course));
}

/** Tools that courses may have in their navigation, the nearest first. */
const navigationTools = (context: ToolContext) => toolsFrom(context, placedIn(['course_navigation']));

const courseNumber = (code: string): number => {
  const id = /^course_(\d{1,15})$/.exec(code)?.[1];
  if (id === undefined) throw problem(400, 'Invalid context_codes; only `course` codes are supported');
  return Number(id);
};

/** Courses of one request. */
const mostCourses = 100;

async function navigationOfCourses(
  call: Pick<Call, 'db' | 'me' | 'institution' | 'now'>,
  codes: readonly string[] | undefined,
): Promise<Reply> {
  const { db, me, institution, now } = call;
  if (!codes || codes.length === 0) throw problem(400, 'Missing context_codes');
  const ids = [...new Set(codes.map(courseNumber))].slice(0, mostCourses);
  const above = sql`select a.ancestor_id from courses c join account_ancestors a on a.account_id = c.account_id where c.id in (${theIds(ids)})`;
  const parts = courseStatements(db, theIds(ids), me);
  const [courseRows, terms, enrolled, roles, sections, accounts, overrides, rowsFound] = await db.perform([
    ...parts,
    db.build
      .select()
      .from(tools)
      .where(and(toolsOfCourses(theIds(ids), above), placedIn(['course_navigation'])))
      .orderBy(tools.id),
  ]);
  const known = courseContextsOf([courseRows, terms, enrolled, roles, sections, accounts, overrides], me, institution, now);
  const courses = ids.map((id) => {
    const course = known.find((one) => one.id === id);
    if (!course?.canRead) throw notFound();
    return course;
  });
  const near = (course: CourseContext, { context_type, context_id }: ToolRow) =>
    context_type === 'Course'
      ? context_id === course.id
        ? 0
        : -1
      : course.chain.toReversed().indexOf(context_id) + (course.chain.includes(context_id) ? 1 : 0);
  return answer(
    courses.flatMap((course) =>
      navigationOf(
        course,
        rowsFound.filter((tool) => near(course, tool) >= 0).sort((a, b) => near(course, a) - near(course, b) || a.id - b.id),
        call,
      ),
    ),
  );
}

const kinds = [
  { name: 'rce_favorites', placement: 'editor_button', setting: 'is_rce_favorite', key: 'rce_favorite_tool_ids' },
  { name: 'top_nav_favorites', placement: 'top_navigation', setting: 'is_top_nav_favorite', key: 'top_nav_favorite_tool_ids' },
] as const;
const mostFavorites = 2;

const favoriteRoutes = kinds.flatMap(({ name, placement, setting, key }) => {
  const at = `/accounts/:account_id/external_tools/${name}/:id` as const;
  const change = async (
    { db, account, id, now }: Pick<Call, 'db' | 'now'> & { account: { id: number; chain: readonly number[] }; id: number },
    isOn: boolean,
  ) => {
    const context = toolContextOf({ account });
    const [own] = await db.perform([db.build.select().from(tools).where(ownTools(context)).orderBy(tools.id)]);
    const tool = found(own.find((one) => one.id === id));
    if (isOn && !placementOf(tool, placement)) throw problem(400, `Tool does not have the ${placement} placement`);
    const others = own.filter((one) => one.id !== id && one.settings[setting] === true).map((one) => one.id);
    if (isOn && others.length >= mostFavorites) throw problem(400, `You cannot have more than ${mostFavorites} favorites`);
    const after = isOn ? [...others, id].sort((a, b) => a - b) : others;
    return write(
      [
        db.build
          .update(tools)
          .set({ settings: { ...tool.settings, [setting]: isOn }, updated_at: now })
          .where(onlyTool(context, id)),
      ],
      answer({ [key]: after }),
    );
  };
  const options = { can: 'manage_lti_edit', returns: { json: FavoriteTools } } as const;
  return [
    post(at, { ...options, summary: 'Add a tool to the favorites of an account' }, (call) => change(call, true)),
    del(at, { ...options, summary: 'Remove a tool from the favorites of an account' }, (call) => change(call, false)),
  ];
});

export const externalToolRoutes = [
  get(
    '/external_tools/visible_course_nav_tools',
    {
      can: 'user',
      params: { context_codes: optional(commaList(referenceTo('context'))) },
      returns: { json: NavigationTool },
      summary: 'List the tools in the navigation of several courses',
    },
    (call) => navigationOfCourses(call, call.params.context_codes),
  ),

  get(
    '/courses/:course_id/external_tools/visible_course_nav_tools',
    { can: 'read', returns: { json: NavigationTool }, summary: "List the tools in a course's navigation" },
    async (call) => {
      const listing = navigationTools(toolContextOf(call));
      const [found] = await call.db.perform([
        call.db.build
          .select()
          .from(tools)
          .where(listing.where)
          .orderBy(...(listing.order ?? []).map(({ by }) => sql`${by}`)),
      ]);
      return answer(navigationOf(call.course, found, call));
    },
  ),

  ...ofContexts,

  get(
    '/groups/:group_id/external_tools',
    { can: 'read', params: wanted, returns: [externalTool], summary: 'List the external tools of a group' },
    ({ group, params }) => {
      const context = toolContextOf(group);
      // A group has no tools of its own: those of its course and account are its parents'.
      return params.include_parents ? listTools(context, params) : list(rows(tools, { where: sql`0`, order: ascending(tools.id) }));
    },
  ),

  ...favoriteRoutes,
];
