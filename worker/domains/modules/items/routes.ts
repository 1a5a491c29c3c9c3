// Module items: every endpoint, in the order of the API reference.

import { bool, idField, int, maybe, object, optional, type Shape, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { contains } from '../../../database/ids';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, invalid, problem } from '../../../http/problem';
import { judged, list, one, write } from '../../../http/reply';
import { pageNameOf, slugOf } from '../../../rules/pages/names';
import { type PageRow, pageRefusals, selectTaken } from '../../../rules/pages/rows';
import { pages } from '../../pages/table';
import { duplicateItem, newestItem, selectOriginalItem } from '../duplicate';
import { itemSeen, onlyModule, presentItem, presentModules, seenItems } from '../policy';
import { renumberItems } from '../positions';
import { setPublished } from '../publishing';
import { itemTypes, module_items, modules } from '../table';
import { ofStudent } from '../viewpoint';
import { type CurrentItem, chosenOf, renameContent, selectChosen } from './changes';
import { contentColumn } from './content';
import { checkExternalUrl } from './external_url';
import { duplicatedItem, moduleItem } from './json';
import { requirementColumns, requirementField } from './requirements';

const place = '/courses/:course_id/modules/:module_id/items';
const include = ['content_details', 'mastery_paths'] as const;
const size = optional(maybe(int));
const editable = {
  title: optional(text),
  position: optional(int),
  indent: optional(int),
  external_url: optional(maybe(text)),
  new_tab: optional(bool),
  completion_requirement: requirementField,
  iframe: optional(maybe(object({ width: size, height: size }))),
};
const creatable = { ...editable, type: optional(text), content_id: optional(maybe(idField('content'))), page_url: optional(text) };
const changeable = { ...editable, published: optional(bool), module_id: optional(idField('module')) };

const moduleOf = (path: { readonly module_id: string }) => found(readId(path.module_id));

const frame = (given: { width?: number | null; height?: number | null } | null | undefined) =>
  given === undefined ? undefined : given && (given.width || given.height) ? { width: given.width ?? 0, height: given.height ?? 0 } : null;

type Given = Shape<typeof changeable>;

/** The columns of an item that an update sets, besides title and place. */
const columnsOf = (given: Given, before: CurrentItem) => ({
  indent: given.indent === undefined ? undefined : Math.max(0, given.indent),
  external_url: before.type === 'ExternalUrl' || before.type === 'ExternalTool' ? (given.external_url ?? undefined) : undefined,
  new_tab: given.new_tab,
  iframe: frame(given.iframe),
  ...requirementColumns(given.completion_requirement, before.type, before.content.assignment_id !== null),
});

export const moduleItemRoutes = [
  get(
    place,
    {
      can: 'read',
      params: { search_term: searchTerm, student_id: optional(idField('user')) },
      include,
      returns: [moduleItem],
      summary: 'List module items',
    },
    (call) => {
      const { db, course, path, params } = call;
      const module_id = moduleOf(path);
      const named = params.search_term ? contains(module_items.title, params.search_term) : undefined;
      const items = and(eq(module_items.module_id, module_id), seenItems(course, call), named);
      return judged(
        db.build
          .select({ id: modules.id })
          .from(modules)
          .where(onlyModule(course, call, module_id)),
        (seen) => void found(seen[0]),
        ofStudent(course, call, list(rows(module_items, { where: items, order: ascending(module_items.position, module_items.id) }))),
      );
    },
  ),

  get(
    `${place}/:id`,
    { can: 'read', params: { student_id: optional(idField('user')) }, include, returns: moduleItem, summary: 'Get a module item' },
    (call) => {
      const { course, path, id } = call;
      return ofStudent(course, call, one(rows(module_items, { where: itemSeen(course, call, id, moduleOf(path)) })));
    },
  ),

  post(
    place,
    {
      can: ['manage_course_content_add', 'manage_course_content_edit'],
      params: { module_item: optional(object(creatable)) },
      include,
      returns: moduleItem,
      summary: 'Create a module item',
    },
    async ({ db, course, path, params, now, origin }) => {
      const given = params.module_item;
      if (!given) throw problem(400, 'missing module item parameter');
      checkExternalUrl(given.external_url, origin);
      const module_id = moduleOf(path);
      const type = itemTypes.find((one) => one === given.type);
      const wanted = { ...given, type };
      const [[parent], choices] = await db.perform([
        db.build.select({ id: modules.id }).from(modules).where(presentModules(course, module_id)),
        selectChosen(db, course, wanted),
      ]);
      found(parent);
      const chosen = chosenOf(wanted, choices);
      return write(
        [
          db.build.insert(module_items).values({
            course_id: course.id,
            module_id,
            position: sql`coalesce((select max(position) from module_items where module_id = ${module_id} and workflow_state = 'active'), 0) + 1`,
            type: chosen.type,
            content_id: chosen.content_id,
            title: chosen.title,
            indent: Math.max(0, given.indent ?? 0),
            external_url: type === 'ExternalUrl' || type === 'ExternalTool' ? given.external_url : null,
            new_tab: given.new_tab ?? false,
            iframe: frame(given.iframe),
            ...requirementColumns(given.completion_requirement, chosen.type, chosen.is_graded === 1),
            created_at: now,
            updated_at: now,
          }),
          renumberItems(
            db,
            module_id,
            given.position === undefined ? undefined : { id: sql`last_insert_rowid()`, to: Math.max(1, given.position) },
          ),
        ],
        one(rows(module_items, { where: eq(module_items.id, sql`last_insert_rowid()`) })),
      );
    },
  ),

  put(
    `${place}/:id`,
    {
      can: 'manage_course_content_edit',
      params: { module_item: optional(object(changeable)) },
      include,
      returns: moduleItem,
      summary: 'Update a module item',
    },
    async ({ db, course, id, path, params, me, now, origin }) => {
      const given = params.module_item;
      if (!given) throw problem(400, 'missing module item parameter');
      checkExternalUrl(given.external_url, origin);
      const module_id = moduleOf(path);
      const title = given.title?.trim() || undefined;
      const pageId = sql`select content_id from module_items where id = ${id} and type = 'Page'`;
      const wiki = { context_type: 'Course', context_id: course.id } as const;
      const [[item], targets, pageRows, inTheWay] = await db.perform([
        db.build
          .select({
            id: module_items.id,
            type: module_items.type,
            content_id: module_items.content_id,
            title: module_items.title,
            position: module_items.position,
            content: contentColumn(true, undefined, now),
          })
          .from(module_items)
          .where(and(presentItem(course, id), eq(module_items.module_id, module_id))),
        db.build
          .select({ id: modules.id })
          .from(modules)
          .where(presentModules(course, given.module_id ?? module_id)),
        db.build.select().from(pages).where(sql`${pages.id} = (${pageId})`),
        selectTaken(db, wiki, slugOf(title ?? ''), pageId),
      ]);
      const before = found(item as (CurrentItem & { position: number }) | undefined);
      if (targets.length === 0) throw problem(400, 'invalid module_id');
      if (given.published === false && before.content.published && !before.content.unpublishable)
        throw invalid('published', 'invalid', 'cannot be unpublished: it has student submissions, or it is the front page');
      const moves = given.module_id !== undefined && given.module_id !== module_id;
      const target = given.module_id ?? module_id;
      const renamed = title !== undefined && title !== before.title;
      const page = pageRows[0] as PageRow | undefined;
      return write(
        [
          ...(renamed ? renameContent(db, before, page && { row: page, columns: pageNameOf(title, inTheWay) }, title, me.id, now) : []),
          db.build
            .update(module_items)
            .set({
              ...(renamed && before.content_id === null && { title }),
              ...columnsOf(given, before),
              ...(moves && {
                module_id: target,
                position: sql`coalesce((select max(i.position) from module_items i where i.module_id = ${target} and i.workflow_state = 'active'), 0) + 1`,
              }),
              updated_at: now,
            })
            .where(presentItem(course, id)),
          ...(moves ? [renumberItems(db, module_id)] : []),
          ...(given.position === undefined
            ? []
            : [renumberItems(db, target, { id, from: moves ? undefined : before.position, to: Math.max(1, given.position) })]),
          ...(given.published === undefined ? [] : setPublished(db, course, sql`select ${id}`, given.published, now)),
        ],
        one(rows(module_items, { where: presentItem(course, id) })),
        { files: () => invalid('title', 'taken'), 'pages.url': () => invalid('title', 'taken') },
      );
    },
  ),

  del(
    `${place}/:id`,
    { can: ['manage_course_content_delete', 'manage_course_content_edit'], returns: moduleItem, summary: 'Delete a module item' },
    async ({ db, course, id, path, now }) => {
      const module_id = moduleOf(path);
      const here = and(presentItem(course, id), eq(module_items.module_id, module_id));
      const [[gone]] = await db.perform([db.build.select({ id: module_items.id }).from(module_items).where(here)]);
      found(gone);
      return write(
        [db.build.update(module_items).set({ workflow_state: 'deleted', updated_at: now }).where(here), renumberItems(db, module_id)],
        one(rows(module_items, { where: eq(module_items.id, id) })),
      );
    },
  ),

  post(
    '/courses/:course_id/modules/items/:id/duplicate',
    { can: ['manage_course_content_add', 'manage_course_content_edit'], returns: duplicatedItem, summary: 'Duplicate a module item' },
    async ({ db, course, id, me, now }) => {
      const original = await selectOriginalItem(db, course, id);
      return write(
        duplicateItem(db, course, original, me.id, now),
        one(rows(module_items, { where: eq(module_items.id, newestItem(course)) })),
        pageRefusals,
      );
    },
  ),
];
