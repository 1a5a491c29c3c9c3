// Custom gradebook columns: every endpoint, in the order of the API reference.

import { ColumnOrder } from '@carrel/shared/resources/custom_gradebook_column';
import { bool, commaList, either, idField, int, listOf, maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Database } from '../../database/open';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, invalid, notFound } from '../../http/problem';
import { answer, judged, list, one, row, write } from '../../http/reply';
import { positionAt } from '../assignment_groups/positions';
import { progressJson } from '../progress/json';
import { finishedProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { dividedData, writable, writeData } from './data';
import { columnDatum, customGradebookColumn } from './json';
import { isStudentInReach, onlyColumn, presentColumns } from './policy';
import { custom_gradebook_columns as columns, custom_gradebook_data as data } from './table';

export const about = { title: 'Custom gradebook columns', description: 'Columns with texts that teachers add to a gradebook.' };

const base = '/courses/:course_id/custom_gradebook_columns';
const readers = ['manage_grades', 'view_all_grades'] as const;
const can = 'manage_grades';
const hidden = { include_hidden: optional(bool) };
const column = object({
  title: optional(text),
  position: optional(int),
  hidden: optional(bool),
  teacher_notes: optional(bool),
  read_only: optional(bool),
});
const datum = object({ content: optional(maybe(text)) });

/** @throws Problem 400 for an invalid title */
function titleOf(given: string): string {
  if (given.trim() === '') throw invalid('title', 'blank', "can't be blank");
  if (given.length > 255) throw invalid('title', 'too_long', 'is too long (maximum is 255 characters)');
  return given;
}

const taken = {
  'custom_gradebook_columns.course_id': () => invalid('teacher_notes', 'taken', 'has already been taken'),
};

/** @param id the column that is to be moved, which does not count */
const lastPosition = (course: CourseContext, id = 0) =>
  sql`select max(position) from custom_gradebook_columns where ${and(presentColumns(course), ne(columns.id, id))}`;

/**
 * Shifts every column from a position on by one.
 * @param id the column that is to be moved; nothing is shifted if it does not exist
 */
const makeRoom = (db: Database, course: CourseContext, position: number | undefined, id?: number) =>
  position === undefined
    ? []
    : [
        db.build
          .update(columns)
          .set({ position: sql`position + 1` })
          .where(
            and(
              presentColumns(course),
              sql`position >= ${position}`,
              id === undefined
                ? undefined
                : sql`exists (select 1 from custom_gradebook_columns moved where moved.id = ${id} and moved.course_id = ${course.id})`,
            ),
          ),
      ];

const columnAt = (db: Database, course: CourseContext, id: number, withHidden?: boolean) =>
  db.build
    .select({ id: columns.id })
    .from(columns)
    .where(onlyColumn(course, id, withHidden));

export const customGradebookColumnRoutes = [
  get(
    base,
    { can: readers, params: hidden, returns: [customGradebookColumn], summary: 'List custom gradebook columns' },
    ({ course, params }) =>
      list(
        rows(columns, { where: presentColumns(course, params.include_hidden ?? false), order: ascending(columns.position, columns.id) }),
      ),
  ),

  post(
    base,
    { can, params: { column: optional(column) }, returns: customGradebookColumn, summary: 'Create a custom gradebook column' },
    ({ db, course, params: { column: given = {} }, now }) =>
      write(
        [
          ...makeRoom(db, course, given.position),
          db.build.insert(columns).values({
            course_id: course.id,
            title: titleOf(given.title ?? ''),
            position: positionAt(given.position, lastPosition(course)),
            hidden: given.hidden ?? false,
            teacher_notes: given.teacher_notes ?? false,
            read_only: given.read_only ?? false,
            created_at: now,
            updated_at: now,
          }),
        ],
        one(rows(columns, { where: eq(columns.id, sql`last_insert_rowid()`) })),
        taken,
      ),
  ),

  put(
    `${base}/:id`,
    { can, params: { column: optional(column) }, returns: customGradebookColumn, summary: 'Update a custom gradebook column' },
    ({ db, course, id, params: { column: given = {} }, now }) =>
      write(
        [
          ...makeRoom(db, course, given.position, id),
          db.build
            .update(columns)
            .set({
              title: given.title === undefined ? undefined : titleOf(given.title),
              position: given.position === undefined ? undefined : positionAt(given.position, lastPosition(course, id)),
              hidden: given.hidden,
              teacher_notes: given.teacher_notes,
              read_only: given.read_only,
              updated_at: now,
            })
            .where(onlyColumn(course, id)),
        ],
        one(rows(columns, { where: onlyColumn(course, id) })),
        taken,
      ),
  ),

  del(
    `${base}/:id`,
    { can, returns: customGradebookColumn, summary: 'Delete a custom gradebook column' },
    async ({ db, course, id, now }) => {
      const [[gone]] = await db.perform([db.build.select().from(columns).where(onlyColumn(course, id))]);
      return write(
        [
          db.build.run(
            sql`delete from custom_gradebook_data where column_id in (select id from custom_gradebook_columns where ${onlyColumn(course, id)})`,
          ),
          db.build.update(columns).set({ workflow_state: 'deleted', updated_at: now }).where(onlyColumn(course, id)),
        ],
        row(gone),
      );
    },
  ),

  post(
    `${base}/reorder`,
    {
      can,
      params: { order: commaList(idField('custom_gradebook_column')) },
      returns: { json: ColumnOrder },
      summary: 'Reorder custom gradebook columns',
    },
    async ({ db, course, params, now }) => {
      const [known] = await db.perform([
        db.build.select({ id: columns.id }).from(columns).where(presentColumns(course)).orderBy(columns.position, columns.id),
      ]);
      const ids = known.map(({ id }) => id);
      if (params.order.some((id) => !ids.includes(id))) throw badParameter('order', 'names a column that does not exist');
      const order = [...new Set([...params.order, ...ids])];
      return write(
        [
          db.build.run(
            sql`update custom_gradebook_columns set position = j.key + 1, updated_at = ${now} from json_each(${JSON.stringify(order)}) j where custom_gradebook_columns.id = j.value and custom_gradebook_columns.course_id = ${course.id}`,
          ),
        ],
        answer({ reorder: true, order }),
      );
    },
  ),

  get(
    `${base}/:id/data`,
    { can: readers, params: hidden, returns: [columnDatum], summary: 'List the data of a custom gradebook column' },
    ({ db, course, id, params }) =>
      judged(
        columnAt(db, course, id, params.include_hidden ?? false),
        ([it]) => {
          found(it);
        },
        // A page examines as many rows as it may return, so that it does not read a whole course to find the students of one section.
        list(
          rows(data, {
            columns: { is_passed: sql<number>`not ${isStudentInReach(course, sql`${data.user_id}`)}`.as('is_passed') },
            where: eq(data.column_id, id),
            order: ascending(data.user_id),
          }),
        ),
      ),
  ),

  put(
    `${base}/:id/data/:user_id`,
    {
      can,
      params: { column_data: optional(either(datum, text)) },
      returns: columnDatum,
      summary: 'Update the data of a student in a custom gradebook column',
    },
    async ({ db, course, id, user, params: { column_data: given } }) => {
      const content = (typeof given === 'string' ? given : given?.content) ?? '';
      const changes = [{ column_id: id, user_id: user.id, content }];
      const [allowed, [stored]] = await db.perform([
        writable({ db, course }, changes),
        db.build
          .select({ content: data.content })
          .from(data)
          .where(and(eq(data.column_id, id), eq(data.user_id, user.id))),
      ]);
      if (allowed.length === 0) throw notFound();
      if (given === undefined) return answer({ user_id: user.id, content: stored?.content ?? null });
      return write(writeData(db, changes), answer({ user_id: user.id, content: content.trim() === '' ? null : content }));
    },
  ),

  put(
    '/courses/:course_id/custom_gradebook_column_data',
    {
      can,
      params: {
        column_data: listOf(
          object({ column_id: idField('custom_gradebook_column'), user_id: idField('user'), content: optional(maybe(text)) }),
        ),
      },
      returns: progressJson,
      summary: 'Update the data of several students in custom gradebook columns',
    },
    async ({ db, me, course, params: { column_data: given }, now }) => {
      const [allowed] = await db.perform([writable({ db, course }, given)]);
      const { kept, refused } = dividedData(given, allowed);
      const work = finishedProgress(
        db,
        {
          context_type: 'Course',
          context_id: course.id,
          user_id: me.id,
          tag: 'custom_columns_submissions_update',
          ...(refused.length > 0 && {
            message: `${refused.length} of ${given.length} entries name a column or a student that does not exist`,
            results: { errors: refused.map(({ column_id, user_id }) => ({ column_id, user_id, message: 'does not exist' })) },
          }),
        },
        now,
      );
      return write([...writeData(db, kept), work], one(rows(progress, { where: eq(progress.id, sql`last_insert_rowid()`) })));
    },
  ),
];
