// Resource links of a course: every endpoint, in the order of the API reference.

import { bool, idField, json, maybe, object, optional, read, type Shape, text } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, Problem } from '../../http/problem';
import { all, list, one, type Reply, row, write } from '../../http/reply';
import { refuseLockedLink } from '../../rules/blueprint_locks';
import type { ToolRow } from '../external_tools/json';
import { toolContextOf, toolsFrom } from '../external_tools/policy';
import { external_tools } from '../external_tools/table';
import { ltiResourceLink } from './json';
import { customOf, toolOfLink, WrongLink } from './link_rules';
import { linkNamed, linksOfCourse, managesLinks } from './policy';
import { lti_resource_links as links } from './table';

export const about = {
  title: 'LTI resource links',
  description: 'Links to resources of external tools in a course: made in texts, or chosen in a tool for assignments and modules.',
};

const place = '/courses/:course_id/lti_resource_links';
const single = `${place}/:lti_resource_link_id` as const;

const can = ({ course }: { readonly course?: CourseContext }): boolean => course !== undefined && managesLinks(course);
const including = { include_deleted: optional(bool) };
const newLink = { url: optional(maybe(text)), title: optional(maybe(text)), custom: optional(maybe(json)) };
type NewLink = Shape<typeof newLink>;

const mostAtOnce = 100;
const longestTitle = 255;

/** @throws Problem 422 instead of WrongLink */
function judged<T>(decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof WrongLink)) throw error;
    throw new Problem(422, { errors: [{ code: error.code, message: error.message }] });
  }
}

/** The tools of the course, the nearest first. */
const readTools = ({ build }: Call['db'], course: CourseContext) => {
  const { where, order } = toolsFrom(toolContextOf({ course }));
  return build
    .select()
    .from(external_tools)
    .where(where)
    .orderBy(...(order ?? []).map(({ by }) => sql`${by}`));
};

/** The columns of a new link. @throws WrongLink */
function linkColumns({ url, title, custom }: NewLink, tools: readonly ToolRow[], course: CourseContext, now: string) {
  if (!url) throw new WrongLink('invalid_url', 'url is missing');
  if ((title ?? '').length > longestTitle) throw new WrongLink('invalid_request', `title has more than ${longestTitle} characters`);
  return {
    course_id: course.id,
    external_tool_id: toolOfLink(tools, url).id,
    resource_type: 'rich_content' as const,
    resource_link_uuid: crypto.randomUUID(),
    lookup_uuid: crypto.randomUUID(),
    title: title?.trim() || null,
    url,
    custom: customOf(custom),
    created_at: now,
    updated_at: now,
  };
}

type Writing = Pick<Call, 'db' | 'now'> & { readonly course: CourseContext };

/** Makes all links or none. */
async function createLinks({ db, course, now }: Writing, given: readonly NewLink[], replied: (uuids: string[]) => Reply): Promise<Reply> {
  const [tools] = await db.perform([readTools(db, course)]);
  const made = judged(() => given.map((link) => linkColumns(link, tools, course, now)));
  const reply = replied(made.map(({ lookup_uuid }) => lookup_uuid));
  // One insert a link keeps the parameters of a statement few.
  return write(
    made.map((values) => db.build.insert(links).values(values)),
    reply,
  );
}

/** @throws Problem 422 for anything but a list of links */
const linksGiven = (array: readonly unknown[] | undefined): NewLink[] =>
  judged(() => {
    if (!array || array.length === 0) throw new WrongLink('invalid_request', 'the body must be a list of links');
    if (array.length > mostAtOnce) throw new WrongLink('invalid_request', `more than ${mostAtOnce} links`);
    return array.map((link, at) => {
      const given = read({ link: object(newLink) }, { link });
      if (!given.ok) throw new WrongLink('invalid_request', `link ${at}: ${given.refusal.parameter} ${given.refusal.message}`);
      return given.value.link;
    });
  });

export const ltiResourceLinkRoutes = [
  get(place, { can, params: including, per_page: 50, returns: [ltiResourceLink], summary: 'List resource links' }, ({ course, params }) =>
    list(rows(links, { where: linksOfCourse(course, params.include_deleted ?? false), order: ascending(links.id) })),
  ),

  get(single, { can, params: including, returns: ltiResourceLink, summary: 'Get a resource link' }, ({ course, path, params }) =>
    one(rows(links, { where: linkNamed(course, path.lti_resource_link_id, params.include_deleted ?? false) })),
  ),

  post(place, { can, params: newLink, returns: ltiResourceLink, summary: 'Create a resource link' }, (call) =>
    createLinks(call, [call.params], ([uuid]) => one(rows(links, { where: eq(links.lookup_uuid, uuid ?? '') }))),
  ),

  post(`${place}/bulk`, { can, takesArray: true, returns: [ltiResourceLink], summary: 'Create several resource links' }, (call) =>
    createLinks(call, linksGiven(call.array), (uuids) =>
      all(rows(links, { where: among(links.lookup_uuid, uuids), order: ascending(links.id) })),
    ),
  ),

  put(
    single,
    {
      can,
      params: {
        ...including,
        url: optional(maybe(text)),
        custom: optional(maybe(json)),
        context_external_tool_id: optional(maybe(idField('external_tool'))),
      },
      returns: ltiResourceLink,
      summary: 'Update a resource link',
    },
    async ({ db, course, path, params, now }) => {
      const where = linkNamed(course, path.lti_resource_link_id, params.include_deleted ?? false);
      const [tools, [there]] = await db.perform([readTools(db, course), db.build.select().from(links).where(where)]);
      const before = found(there);
      const url = params.url || before.url;
      const asked = params.context_external_tool_id ?? undefined;
      const external_tool_id =
        url && (params.url || asked !== undefined)
          ? judged(() => toolOfLink(tools, url, asked, before.external_tool_id).id)
          : before.external_tool_id;
      const custom = params.custom === undefined ? before.custom : judged(() => customOf(params.custom));
      return write(
        [
          ...refuseLockedLink(db, before.assignment_id),
          db.build.update(links).set({ url, external_tool_id, custom, updated_at: now }).where(where),
        ],
        one(rows(links, { where })),
      );
    },
  ),

  del(single, { can, returns: ltiResourceLink, summary: 'Delete a resource link' }, async ({ db, course, path, now }) => {
    const where = linkNamed(course, path.lti_resource_link_id, false);
    const [[there]] = await db.perform([db.build.select().from(links).where(where)]);
    const before = found(there);
    judged(() => {
      if (before.resource_type !== 'rich_content')
        throw new WrongLink('invalid_resource_link', 'a link of an assignment or a module is deleted with it');
    });
    return write(
      [db.build.update(links).set({ workflow_state: 'deleted', updated_at: now }).where(where)],
      row({ ...before, workflow_state: 'deleted', updated_at: now }),
    );
  }),
];
