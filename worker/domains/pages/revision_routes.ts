// Revisions of a page, and reverting to one.

import { bool, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { get, post } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, notFound, unauthorized } from '../../http/problem';
import { judged, list, one, write } from '../../http/reply';
import { pageNameOf } from '../../rules/pages/names';
import { pageRefusals, revisePage, selectTaken } from '../../rules/pages/rows';
import { moduleLockOf, moduleLocks } from '../modules/locks';
import { pageRevision, revisionOutline } from './json';
import { editablePage, idOfPage, loadPage, readablePage, selectPageAccess } from './page_access';
import { page_revisions } from './table';
import { wikiOf } from './wiki';

const revisionId = (path: { readonly revision_id: string }) => found(readId(path.revision_id));
const ofPage = (id: SQL) => eq(page_revisions.page_id, sql`(${id})`);

const places = ['/courses/:course_id', '/groups/:group_id'] as const;

export const pageRevisionRoutes = places.flatMap((place) => [
  get(`${place}/pages/:url/revisions`, { can: 'read', returns: [revisionOutline], summary: 'List the revisions of a page' }, (call) => {
    const wiki = wikiOf(call);
    const id = idOfPage(wiki, call.path);
    return judged(
      selectPageAccess(call.db, wiki, id),
      (query) => editablePage(query, wiki),
      list(rows(page_revisions, { where: ofPage(id), order: descending(page_revisions.revision_id) })),
    );
  }),

  get(
    `${place}/pages/:url/revisions/latest`,
    { can: 'read', params: { summary: optional(bool) }, returns: pageRevision, summary: 'Get the latest revision of a page' },
    (call) => {
      const wiki = wikiOf(call);
      const id = idOfPage(wiki, call.path);
      const latest = one(rows(page_revisions, { where: ofPage(id), order: descending(page_revisions.revision_id) }));
      const hidden = judged(
        moduleLocks('Page', id, call),
        (locks) => {
          if (locks.some(({ holds }) => holds.some(({ content_id }) => moduleLockOf(locks, 'Page', content_id, call.now))))
            throw unauthorized();
        },
        latest,
      );
      return judged(selectPageAccess(call.db, wiki, id), (sought) => readablePage(sought), hidden);
    },
  ),

  get(
    `${place}/pages/:url/revisions/:revision_id`,
    { can: 'read', params: { summary: optional(bool) }, returns: pageRevision, summary: 'Get a revision of a page' },
    (call) => {
      const wiki = wikiOf(call);
      const id = idOfPage(wiki, call.path);
      const wanted = eq(page_revisions.revision_id, revisionId(call.path));
      return judged(
        selectPageAccess(call.db, wiki, id),
        (sought) => editablePage(sought, wiki),
        one(rows(page_revisions, { where: and(ofPage(id), wanted) })),
      );
    },
  ),

  post(
    `${place}/pages/:url/revisions/:revision_id`,
    { can: 'read', returns: pageRevision, summary: 'Revert a page to a revision' },
    async (call) => {
      const { db, me, now } = call;
      const wiki = wikiOf(call);
      const id = idOfPage(wiki, call.path);
      const wanted = and(ofPage(id), eq(page_revisions.revision_id, revisionId(call.path)));
      const urlThen = sql`select url from page_revisions where page_id = (${id}) and revision_id = ${revisionId(call.path)}`;
      const [sought, [before], [then], inTheWay] = await db.perform([
        selectPageAccess(db, wiki, id),
        loadPage(db, wiki, id),
        db.build.select().from(page_revisions).where(wanted),
        selectTaken(db, wiki, urlThen, id),
      ]);
      editablePage(sought, wiki);
      if (!before || !then) throw notFound();
      if (!wiki.canUpdate && then.title !== before.title) throw unauthorized();
      const name = then.title === before.title ? { title: before.title, url: before.url } : pageNameOf(then.title, inTheWay);
      const columns = { ...name, body: then.body };
      const isSame = name.url === before.url && name.title === before.title && then.body === before.body;
      return write(
        isSame ? [] : revisePage(db, before, columns, me.id, now),
        one(rows(page_revisions, { where: eq(page_revisions.page_id, before.id), order: descending(page_revisions.revision_id) })),
        pageRefusals,
      );
    },
  ),
]);
