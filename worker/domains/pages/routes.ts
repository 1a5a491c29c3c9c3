// Pages, front page and revisions: every endpoint, in the order of the API reference.

import { bool, commaList, maybe, object, optional, searchTerm, text, time } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, not, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { contains } from '../../database/ids';
import type { Call } from '../../http/call';
import { type ConditionalCall, refusedBy, textConditionOf } from '../../http/conditional';
import { del, get, post, put } from '../../http/endpoint';
import { collated, type Order, rows } from '../../http/listing';
import { invalid, notFound, problem, unauthorized } from '../../http/problem';
import { judged, list, one, type Reply, write } from '../../http/reply';
import { authoredPrecondition } from '../../rules/authored_content';
import { changeUnlocked } from '../../rules/blueprint_locks';
import { copyNameOf, slugOf, type Taken } from '../../rules/pages/names';
import { idByUrl, makePage, type PageRow, pageRefusals, publishDuePages, revisePage, selectTaken } from '../../rules/pages/rows';
import { frontPageId } from '../../rules/pages/which';
import { moduleLockOf, moduleLocks } from '../modules/locks';
import { readLater, requirementEvent } from '../modules/progress/record';
import { type PageGiven, pageColumnsOf } from './changes';
import { page, pageOutline } from './json';
import { idOfPage, loadPage, readablePage, selectPageAccess } from './page_access';
import { asOf, isOut, visiblePages } from './policy';
import { authoredPageColumns, former_page_urls, pages } from './table';
import { playsRole, wikiOf } from './wiki';

export const about = { title: 'Pages', description: 'Wiki pages of courses and groups, with their revisions.' };

const fields = {
  wiki_page: optional(
    object({
      title: optional(text),
      body: optional(maybe(text)),
      editing_roles: optional(commaList(text)),
      notify_of_update: optional(bool),
      published: optional(bool),
      front_page: optional(bool),
      publish_at: optional(maybe(time)),
      student_todo_at: optional(maybe(time)),
      student_planner_checkbox: optional(bool),
    }),
  ),
};

const sorts = { title: collated(pages.title), created_at: pages.created_at, updated_at: pages.updated_at };
const orderOf = (sort: string | undefined, order: string | undefined): Order[] => {
  const isDescending = order === 'desc';
  return [lookUp<Order['by']>(sorts, sort) ?? [], pages.id].flat().map((by) => ({
    by,
    descending: isDescending,
  }));
};

type WikiCall = Omit<Call, 'params' | 'path' | 'course'> & {
  readonly course?: CourseContext;
  readonly path: Readonly<Record<string, string>>;
};

/** Reads a page, and records the view for module requirements. */
function view(call: WikiCall, id: SQL, missing?: string): Reply {
  const { db, course } = call;
  const wiki = wikiOf(call);
  let content_id = 0;
  const read = judged(
    moduleLocks('Page', id, call),
    (locks) => course && readLater(call, course, { type: 'Page', content_id }, locks),
    one(rows(pages, { where: eq(pages.id, sql`(${id})`) })),
  );
  return judged(
    selectPageAccess(db, wiki, id),
    (query) => {
      content_id = readablePage(query, missing).id;
    },
    read,
  );
}

async function make(call: WikiCall, given: PageGiven): Promise<Reply> {
  const [inTheWay] = await call.db.perform([selectTaken(call.db, wikiOf(call), slugOf(given.title ?? ''))]);
  return makeBeside(call, given, inTheWay);
}

/** The to-do date may be set only by users who manage the course's content. */
const planned = ({ course }: WikiCall, given: PageGiven): PageGiven =>
  (course?.can('manage_course_content_edit') ?? true)
    ? given
    : { ...given, student_todo_at: undefined, student_planner_checkbox: undefined };

/** @param inTheWay pages with similar names */
function makeBeside(call: WikiCall, given: PageGiven, inTheWay: Taken): Reply {
  const { db, me, now } = call;
  const wiki = wikiOf(call);
  if (!wiki.canCreate) throw unauthorized();
  const columns = pageColumnsOf(planned(call, given), undefined, inTheWay, wiki, call);
  const named = { ...columns, title: columns.title as string, url: columns.url as string };
  return write(
    makePage(db, wiki, named, me.id, now),
    one(rows(pages, { where: eq(pages.id, sql`(${idByUrl(wiki, named.url)})`) })),
    pageRefusals,
  );
}

/** A conditional update: on a 412 the response contains the page as it is now. */
const preconditionOfPage = (call: Call & ConditionalCall, id: SQL) =>
  authoredPrecondition(call.db, textConditionOf(call), { table: pages, columns: authoredPageColumns, required: 'title' }, () =>
    refusedBy(call, page, rows(pages, { where: eq(pages.id, sql`(${id})`) })),
  );

/** Updates the page, or creates it when missing. */
async function change(
  call: WikiCall,
  id: SQL,
  precondition: ReturnType<typeof preconditionOfPage>,
  given: PageGiven,
  otherwise: PageGiven,
): Promise<Reply> {
  const { db, me, now, course } = call;
  const wiki = wikiOf(call);
  const [exists, [stored], inTheWay, locks] = await db.perform([
    selectPageAccess(db, wiki, id),
    loadPage(db, wiki, id),
    selectTaken(db, wiki, slugOf(given.title ?? otherwise.title ?? ''), id),
    moduleLocks('Page', id, call),
  ]);
  if (exists.length === 0) {
    // A page cannot be created under `page_id:`.
    if (call.path.url?.startsWith('page_id:')) throw problem(404, 'page not found');
    if (wiki.canCreate) await precondition.check(undefined);
    return makeBeside(call, otherwise, inTheWay);
  }
  const before = stored && asOf(stored, now);
  const isLocked = before !== undefined && moduleLockOf(locks, 'Page', before.id, now) !== undefined;
  if (!before || isLocked || !(wiki.canUpdate || playsRole(wiki, before.editing_roles))) throw unauthorized();
  await precondition.check(before);
  const columns = pageColumnsOf(planned(call, given), before, inTheWay, wiki, call);
  return write(
    [
      ...precondition.guard(stored as PageRow),
      ...(before === stored ? [] : publishDuePages(db, now)),
      ...(course ? requirementEvent(call, course, { type: 'Page', content_id: before.id }, 'contributed') : []),
      ...revisePage(db, before, columns, me.id, now),
    ],
    one(rows(pages, { where: eq(pages.id, before.id) })),
    { ...pageRefusals, ...precondition.refusals },
  );
}

/** For courses only. */
const duplicate = post(
  '/courses/:course_id/pages/:url/duplicate',
  { can: (call) => wikiOf(call).canCreate, returns: page, summary: 'Duplicate a page' },
  async (call) => {
    const { db, me, now } = call;
    const wiki = wikiOf(call);
    const id = idOfPage(wiki, call.path);
    const [[original], inTheWay] = await db.perform([
      loadPage(db, wiki, id),
      selectTaken(db, wiki, sql`select url from pages where id = (${id})`),
    ]);
    if (!original) throw problem(404, 'page not found');
    const name = copyNameOf(original, inTheWay);
    const { body, editing_roles, todo_date } = original;
    return write(
      makePage(db, wiki, { ...name, body, editing_roles, todo_date }, me.id, now),
      one(rows(pages, { where: eq(pages.id, sql`(${idByUrl(wiki, name.url)})`) })),
      pageRefusals,
    );
  },
);

/** Contexts that have wikis. */
const places = ['/courses/:course_id', '/groups/:group_id'] as const;

const ofPlaces = places.flatMap((place) => [
  get(
    `${place}/pages`,
    {
      can: 'read',
      params: { sort: optional(text), order: optional(text), search_term: searchTerm, published: optional(bool) },
      include: ['body'],
      returns: [pageOutline],
      summary: 'List pages',
    },
    (call) => {
      if (!wikiOf(call).lists) throw notFound();
      const { sort, order, search_term, published } = call.params;
      const state = published === undefined ? undefined : published ? isOut(call.now) : not(isOut(call.now));
      const named = search_term ? contains(pages.title, search_term) : undefined;
      return list(rows(pages, { where: and(visiblePages(wikiOf(call)), state, named), order: orderOf(sort, order) }));
    },
  ),

  post(`${place}/pages`, { can: (call) => wikiOf(call).canCreate, params: fields, returns: page, summary: 'Create a page' }, (call) =>
    make(call, call.params.wiki_page ?? {}),
  ),

  get(`${place}/front_page`, { can: 'read', returns: page, summary: 'Get the front page' }, (call) =>
    view(call, frontPageId(wikiOf(call)), 'No front page has been set'),
  ),

  put(
    `${place}/front_page`,
    { can: 'read', params: fields, returns: page, conditional: 'item', summary: 'Update or create the front page' },
    (call) => {
      const given = call.params.wiki_page ?? {};
      const id = frontPageId(wikiOf(call));
      return change(call, id, preconditionOfPage(call, id), given, { ...given, front_page: true, published: true });
    },
  ),

  get(`${place}/pages/:url`, { can: 'read', returns: page, summary: 'Get a page' }, (call) =>
    view(call, idOfPage(wikiOf(call), call.path)),
  ),

  put(
    `${place}/pages/:url`,
    { can: 'read', params: fields, returns: page, conditional: 'item', summary: 'Update or create a page' },
    (call) => {
      const given = call.params.wiki_page ?? {};
      const id = idOfPage(wikiOf(call), call.path);
      return change(call, id, preconditionOfPage(call, id), given, { title: call.path.url, ...given });
    },
  ),

  del(`${place}/pages/:url`, { can: (call) => wikiOf(call).canDelete, returns: page, summary: 'Delete a page' }, async (call) => {
    const { db } = call;
    const wiki = wikiOf(call);
    const [[gone]] = await db.perform([loadPage(db, wiki, idOfPage(wiki, call.path))]);
    if (!gone) throw problem(404, 'page not found');
    if (gone.front_page) throw invalid('front_page', 'invalid', 'the front page cannot be deleted');
    return write(
      [
        ...changeUnlocked(db, pages, { workflow_state: 'deleted' }, eq(pages.id, gone.id)),
        db.build
          .delete(former_page_urls)
          .where(sql`context_type = ${wiki.context_type} and context_id = ${wiki.context_id} and page_id = ${gone.id}`),
      ],
      one(rows(pages, { where: eq(pages.id, gone.id) })),
    );
  }),
]);

export const pageRoutes = [...ofPlaces, duplicate];
