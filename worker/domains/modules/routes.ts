// Modules: every endpoint, in the order of the API reference.

import { bool, idField, int, listOf, maybe, object, oneOf, optional, searchTerm, text, time } from '@carrel/shared/wire/fields';
import { and, eq, or, sql } from 'drizzle-orm';
import { contains } from '../../database/ids';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { list, listWithin, one, write } from '../../http/reply';
import { isPublished } from './items/content';
import { module } from './json';
import { onlyModule, presentModules, visibleModules } from './policy';
import { dropVainPrerequisites, renumberModules } from './positions';
import { needsRelock, relockStatement } from './progress/relock';
import { itemsOfModules, selectFollowers, setPublished, warningsOf } from './publishing';
import { deleteModules } from './removal';
import { module_items, modules } from './table';
import { ofStudent } from './viewpoint';

export const about = { title: 'Modules', description: 'Modules of a course: items, requirements and progress.' };

const place = '/courses/:course_id/modules';
const include = ['items', 'content_details'] as const;
const editable = {
  name: optional(text),
  unlock_at: optional(maybe(time)),
  position: optional(int),
  require_sequential_progress: optional(bool),
  prerequisite_module_ids: optional(listOf(idField('module'))),
  publish_final_grade: optional(bool),
  requirement_count: optional(maybe(int)),
  requirement_type: optional(oneOf('all', 'one')),
  published: optional(bool),
  skip_content_tags: optional(bool),
};

const requirementCount = (given: { requirement_count?: number | null; requirement_type?: 'all' | 'one' }): number | null | undefined => {
  if (given.requirement_count !== undefined)
    return given.requirement_count !== null && given.requirement_count > 0 ? given.requirement_count : null;
  return given.requirement_type === undefined ? undefined : given.requirement_type === 'one' ? 1 : null;
};

const nameOf = (given: string | undefined): string => {
  const name = given?.trim();
  if (!name) throw problem(400, 'missing module name');
  return name;
};

/** A module may have been found through an item that is not visible to the caller: it is dropped after pagination, as the reference states. */
const foundIn = (term: string) => (page: readonly unknown[]) =>
  (page as readonly { name: string; items?: readonly unknown[] }[]).filter(
    ({ name, items }) => items?.length !== 0 || name.toLowerCase().includes(term.toLowerCase()),
  );

export const moduleRoutes = [
  get(
    place,
    {
      can: 'read',
      params: { search_term: searchTerm, student_id: optional(idField('user')) },
      include,
      returns: [module],
      summary: 'List modules',
    },
    (call) => {
      const { course, params } = call;
      const term = params.search_term || undefined;
      const named = term && contains(modules.name, term);
      const item = sql`module_items.module_id = modules.id and module_items.workflow_state = 'active'`;
      const holding =
        term &&
        sql`exists (select 1 from module_items where ${and(item, contains(sql`module_items.title`, term), course.readsAsAdmin ? undefined : isPublished)})`;
      const matching = named && (call.include.has('items') ? or(named, holding || undefined) : named);
      const chosen = rows(modules, {
        where: and(visibleModules(course, call), matching || undefined),
        order: ascending(modules.position, modules.id),
      });
      const listed = term && call.include.has('items') ? listWithin(chosen, foundIn(term)) : list(chosen);
      return ofStudent(course, call, listed);
    },
  ),

  get(
    `${place}/:id`,
    { can: 'read', params: { student_id: optional(idField('user')) }, include, returns: module, summary: 'Get a module' },
    (call) => {
      const { course, id } = call;
      return ofStudent(course, call, one(rows(modules, { where: onlyModule(course, call, id) })));
    },
  ),

  post(
    place,
    {
      can: 'manage_course_content_add',
      params: { module: optional(object(editable)) },
      include,
      returns: module,
      summary: 'Create a module',
    },
    ({ db, course, params, now }) => {
      const given = params.module;
      if (!given) throw problem(400, 'missing module parameter');
      return write(
        [
          db.build.insert(modules).values({
            course_id: course.id,
            name: nameOf(given.name),
            position: sql`coalesce((select max(position) from modules where ${presentModules(course)}), 0) + 1`,
            unlock_at: given.unlock_at,
            require_sequential_progress: given.require_sequential_progress ?? false,
            requirement_count: requirementCount(given) ?? null,
            publish_final_grade: given.publish_final_grade ?? false,
            prerequisite_module_ids: given.prerequisite_module_ids ?? [],
            created_at: now,
            updated_at: now,
          }),
          ...(given.position === undefined
            ? []
            : [renumberModules(db, course.id, { id: sql`last_insert_rowid()`, to: Math.max(1, given.position) })]),
          dropVainPrerequisites(db, course.id),
        ],
        one(rows(modules, { where: eq(modules.id, sql`last_insert_rowid()`) })),
      );
    },
  ),

  put(
    `${place}/:id`,
    {
      can: 'manage_course_content_edit',
      params: { module: optional(object(editable)) },
      include,
      returns: module,
      summary: 'Update a module',
    },
    async ({ db, course, id, params, now }) => {
      const given = params.module ?? {};
      const [known, requirements, followers] = await db.perform([
        db.build.select().from(modules).where(presentModules(course)),
        db.build
          .select({ id: module_items.id })
          .from(module_items)
          .where(sql`module_items.module_id = ${id} and requirement_type is not null and workflow_state = 'active'`)
          .limit(1),
        selectFollowers(db, given.published === undefined ? [] : [id], now),
      ]);
      const before = found(known.find((one) => one.id === id));
      const state = given.published === undefined ? undefined : given.published ? ('active' as const) : ('unpublished' as const);
      const cascades = state !== undefined && !given.skip_content_tags;
      const after = {
        workflow_state: state ?? before.workflow_state,
        unlock_at: given.unlock_at === undefined ? before.unlock_at : given.unlock_at,
        prerequisite_module_ids: (given.prerequisite_module_ids ?? before.prerequisite_module_ids).filter((one) =>
          known.some((other) => other.id === one && other.position < before.position),
        ),
      };
      const relocks =
        course.workflow_state === 'available' &&
        needsRelock(before, after, {
          hasRequirements: requirements.length > 0,
          isPrerequisite: known.some((one) => one.workflow_state === 'active' && one.prerequisite_module_ids.includes(id)),
        });
      return write(
        [
          db.build
            .update(modules)
            .set({
              name: given.name === undefined ? undefined : nameOf(given.name),
              unlock_at: given.unlock_at,
              require_sequential_progress: given.require_sequential_progress,
              requirement_count: requirementCount(given),
              publish_final_grade: given.publish_final_grade,
              prerequisite_module_ids: given.prerequisite_module_ids,
              workflow_state: state,
              updated_at: now,
            })
            .where(presentModules(course, id)),
          ...(given.position === undefined || given.position === before.position
            ? []
            : [renumberModules(db, course.id, { id, from: before.position, to: Math.max(1, given.position) })]),
          dropVainPrerequisites(db, course.id),
          ...(cascades ? setPublished(db, course, itemsOfModules([id]), given.published === true, now) : []),
        ],
        one(rows(modules, { where: presentModules(course, id) }), {
          ...warningsOf(cascades ? followers : [], course, given.published),
          ...(relocks && { relock_warning: true }),
        }),
      );
    },
  ),

  del(
    `${place}/:id`,
    { can: 'manage_course_content_delete', returns: module, summary: 'Delete a module' },
    async ({ db, course, id, now }) => {
      const [[gone]] = await db.perform([db.build.select({ id: modules.id }).from(modules).where(presentModules(course, id))]);
      found(gone);
      return write(deleteModules(db, course.id, [id], now), one(rows(modules, { where: eq(modules.id, id) })));
    },
  ),

  put(
    `${place}/:id/relock`,
    { can: 'manage_course_content_edit', returns: module, summary: 'Re-lock module progressions' },
    ({ db, course, id, now }) =>
      write([relockStatement(db, course.id, id, now)], one(rows(modules, { where: presentModules(course, id) }))),
  ),
];
