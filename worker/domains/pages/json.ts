// Pages and their revisions as clients see them.

import { Page, PageRevision } from '@carrel/shared/resources/page';
import { sql } from 'drizzle-orm';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { authoredVersion } from '../../rules/authored_content';
import { inContext, verifiersIn } from '../../rules/file_verifiers';
import type { PageRow } from '../../rules/pages/rows';
import { lockFields } from '../modules/lock_fields';
import { moduleLockOf, moduleLocks } from '../modules/locks';
import { type DisplayRow, displayColumn, userDisplay } from '../users/display';
import { asOf } from './policy';
import { authoredPageColumns, page_revisions, pages } from './table';
import { wikiOf } from './wiki';

export type RevisionRow = RowOf<typeof page_revisions> & {
  readonly is_latest: number;
  readonly editor: DisplayRow | null;
  readonly file_verifiers?: string | null;
};

/** Callers who may update every page of its wiki. */
const updates = (call: Call): boolean => (call.course ?? call.group) !== undefined && wikiOf(call).canUpdate;

const result = (showsBody: (call: Call) => boolean) =>
  serializer({
    resource: Page,
    table: pages,
    columns: () => ({
      editor: displayColumn(sql.raw('pages.last_edited_by_id')).as('editor'),
      file_verifiers: verifiersIn(sql.raw('pages.body'), inContext(sql.raw('pages.context_type'), sql.raw('pages.context_id'))).as(
        'file_verifiers',
      ),
    }),
    also: (ids, call) => ({ locks: moduleLocks('Page', ids, call) }),
    json({ editor, file_verifiers, ...row }: PageRow & { editor: DisplayRow | null; file_verifiers?: string | null }, call, { locks }) {
      const page = asOf(row, call.now);
      const lock = lockFields({ asset_string: `wiki_page_${page.id}`, module: moduleLockOf(locks, 'Page', page.id, call.now) }, call.now);
      const isPublished = page.workflow_state === 'active';
      return {
        ...page,
        page_id: page.id,
        last_edited_by: editor === null ? undefined : userDisplay(editor, call.origin),
        published: isPublished,
        hide_from_students: !isPublished,
        html_url: `${call.origin}/${page.context_type.toLowerCase()}s/${page.context_id}/pages/${page.url}`,
        ...lock,
        body: showsBody(call) && !lock.locked_for_user ? withHost(page.body, call.origin, file_verifiers) : undefined,
        editor: showsBody(call) ? 'rce' : undefined,
        version: showsBody(call) && !lock.locked_for_user && updates(call) ? authoredVersion(page, authoredPageColumns) : undefined,
      };
    },
  });

/** A page with its body. */
export const page = result(() => true);
/** A page in a list, with its body only when included. */
export const pageOutline = result(({ include }) => include.has('body'));

const revision = (showsText: (call: Call) => boolean) =>
  serializer({
    resource: PageRevision,
    table: page_revisions,
    columns: () => ({
      editor: displayColumn(sql.raw('page_revisions.edited_by_id')).as('editor'),
      file_verifiers: verifiersIn(
        sql.raw('page_revisions.body'),
        sql`(f.context_type, f.context_id) in (select p.context_type, p.context_id from pages p where p.id = page_revisions.page_id)`,
      ).as('file_verifiers'),
      is_latest:
        sql<number>`not exists (select 1 from page_revisions r where r.page_id = page_revisions.page_id and r.revision_id > page_revisions.revision_id)`.as(
          'is_latest',
        ),
    }),
    json(row: RevisionRow, call) {
      return {
        revision_id: row.revision_id,
        updated_at: row.updated_at,
        latest: row.is_latest === 1,
        edited_by: row.editor && userDisplay(row.editor, call.origin),
        ...(showsText(call) && { url: row.url, title: row.title, body: withHost(row.body, call.origin, row.file_verifiers) }),
      };
    },
  });

export const revisionOutline = revision(() => false);
/** A revision with its text, unless a summary is requested. */
export const pageRevision = revision(({ params }) => (params as { summary?: boolean }).summary !== true);
