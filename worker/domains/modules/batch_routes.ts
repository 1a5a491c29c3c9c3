// Bulk update of modules, and module duplication.

import { ModuleBatch } from '@carrel/shared/resources/module';
import { Progress } from '@carrel/shared/resources/progress';
import { cut } from '@carrel/shared/resources/resource';
import { bool, idField, listOf, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import { post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { problem } from '../../http/problem';
import { answer, one, write } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { pageRefusals } from '../../rules/pages/rows';
import { type ProgressRow, progressJson } from '../progress/json';
import { finishedProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { duplicateModule, selectOriginal } from './duplicate';
import { module } from './json';
import { presentModules } from './policy';
import { itemsOfModules, setPublished } from './publishing';
import { deleteModules } from './removal';
import { modules } from './table';

const place = '/courses/:course_id/modules';
const include = ['items', 'content_details'] as const;

/** The response of a bulk update that runs as a Progress. */
const moduleBatch = serializer({
  resource: ModuleBatch,
  table: progress,
  json: (row: ProgressRow, call) => ({ completed: null, progress: cut(Progress, progressJson.json(row, call, {})) }),
});

export const moduleBatchRoutes = [
  put(
    place,
    {
      can: 'manage_course_content_edit',
      params: {
        module_ids: optional(listOf(idField('module'))),
        event: optional(text),
        skip_content_tags: optional(bool),
        async: optional(bool),
      },
      returns: moduleBatch,
      summary: 'Update several modules',
    },
    async ({ db, course, me, params, now }) => {
      const { event, module_ids } = params;
      if (!event) throw problem(400, 'need to specify event');
      if (event !== 'publish' && event !== 'unpublish' && event !== 'delete') throw problem(400, 'invalid event');
      if (!module_ids?.length) throw problem(400, 'must specify module_ids[]');
      const [known] = await db.perform([
        db.build
          .select({ id: modules.id })
          .from(modules)
          .where(and(presentModules(course), among(modules.id, module_ids)))
          .orderBy(modules.position),
      ]);
      if (known.length === 0) throw problem(404, 'no modules found');
      const ids = known.map(({ id }) => id);
      const isPublished = event === 'publish';
      const statements =
        event === 'delete'
          ? deleteModules(db, course.id, ids, now)
          : [
              db.build
                .update(modules)
                .set({ workflow_state: isPublished ? 'active' : 'unpublished', updated_at: now })
                .where(and(presentModules(course), among(modules.id, ids))),
              ...(params.skip_content_tags ? [] : setPublished(db, course, itemsOfModules(ids), isPublished, now)),
            ];
      if (!params.async) return write(statements, answer({ completed: ids, progress: null }));
      const done = { context_type: 'Course', context_id: course.id, user_id: me.id, tag: 'context_module_batch_update' };
      return write(
        [...statements, finishedProgress(db, done, now)],
        one(rows(progress, { where: eq(progress.id, sql`last_insert_rowid()`) })),
      );
    },
  ),

  post(
    `${place}/:module_id/duplicate`,
    { can: 'manage_course_content_add', include, returns: module, summary: 'Duplicate a module' },
    async ({ db, course, me, path, now }) => {
      const original = await selectOriginal(db, course, Number(path.module_id) || 0);
      return write(
        duplicateModule(db, course, original, me.id, now),
        one(
          rows(modules, {
            where: eq(modules.id, sql`(select max(id) from modules where course_id = ${course.id})`),
          }),
        ),
        pageRefusals,
      );
    },
  ),
];
