// SIS imports as clients see them.

import { SisImport, SisImportError } from '@carrel/shared/resources/sis_import';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { filesByIds, uploadedFile } from '../files/json';
import { user } from '../users/json';
import { users } from '../users/table';
import { countOf } from './files/file_types';
import { sis_import_errors, sis_import_files, sis_imports, type Tally } from './table';

type Row = RowOf<typeof sis_imports>;

/** Keys that `counts` always has. */
const named = [
  'change_sis_ids',
  'accounts',
  'terms',
  'abstract_courses',
  'courses',
  'sections',
  'xlists',
  'users',
  'logins',
  'enrollments',
  'admins',
  'group_categories',
  'groups',
  'group_memberships',
  'grade_publishing_results',
  'user_observers',
];

const models = [
  'Account',
  'EnrollmentTerm',
  'CommunicationChannel',
  'AbstractCourse',
  'Course',
  'CourseSection',
  'Enrollment',
  'GroupCategory',
  'Group',
  'GroupMembership',
  'Pseudonym',
  'UserObserver',
  'AccountUser',
];

const none: Required<Tally> = { created: 0, concluded: 0, deactivated: 0, restored: 0, deleted: 0 };

function statisticsOf(kept: Readonly<Record<string, Tally>>): object {
  const all = Object.fromEntries(models.map((model) => [model, { ...none, ...lookUp(kept, model) }]));
  const total = Object.values(all).reduce((sum, tally) => sum + Object.values(tally).reduce((one, count) => one + count, 0), 0);
  return { total_state_changes: total, ...all };
}

/** Maximum number of rows to apply at once. */
const fewRows = 50;

const ended = new Set([
  'imported',
  'imported_with_messages',
  'failed',
  'failed_with_messages',
  'aborted',
  'partially_restored',
  'restored',
]);

const attached = (ids: SQL) => sql`select file_id from sis_import_files where ${isInSelect(sql`sis_import_id`, ids)}
  union select errors_attachment_id from sis_imports where ${isInSelect(sql`id`, ids)} and errors_attachment_id is not null`;

export const sisImport = serializer({
  resource: SisImport,
  table: sis_imports,
  also: (ids, { db }) => ({
    parts: db.build
      .select()
      .from(sis_import_files)
      .where(isInSelect(sis_import_files.sis_import_id, ids))
      .orderBy(sis_import_files.position, sis_import_files.id),
    papers: embed(uploadedFile, filesByIds(attached(ids))),
    senders: embed(
      user,
      rows(users, { where: isInSelect(users.id, sql`select user_id from sis_imports where ${isInSelect(sql`id`, ids)}`) }),
    ),
  }),
  json(row: Row, _call, { parts, papers, senders }) {
    const own = parts.filter(({ sis_import_id }) => sis_import_id === row.id);
    const types = [...new Set(own.flatMap(({ type, origin }) => (type !== null && origin === 'sent' ? [type] : [])))];
    const paper = (id: number | null) => papers.find((one) => one.row.id === id)?.json;
    const filesOf = (origin: string) => own.filter((part) => part.origin === origin).flatMap(({ file_id }) => paper(file_id) ?? []);
    const { options } = row;
    const hasEnded = ended.has(row.workflow_state);
    const done = own.filter(({ workflow_state }) => workflow_state === 'done').flatMap(({ type }) => (type === null ? [] : [type]));
    return {
      ...row,
      data: {
        import_type: 'instructure_csv',
        supplied_batches: types,
        counts: {
          ...Object.fromEntries(named.map((name) => [name, 0])),
          ...row.counts,
          error_count: row.error_count,
          warning_count: row.warning_count,
        },
        ...(row.phase !== 'unpack' && {
          running_immediately: own.reduce((sum, part) => sum + (part.origin === 'sent' ? part.rows : 0), 0) <= fewRows,
        }),
        completed_importers: [...new Set(done)].map((type) => lookUp<string>(countOf, type) ?? type),
        downloadable_attachment_ids: own.flatMap(({ origin, file_id }) =>
          origin === 'sent' && file_id !== null && paper(file_id) ? [file_id] : [],
        ),
      },
      statistics: Object.keys(row.statistics).length > 0 || hasEnded ? statisticsOf(row.statistics) : undefined,
      batch_mode: options.batch_mode ?? null,
      batch_mode_term_id: options.batch_mode_term_id ?? null,
      multi_term_batch_mode: options.multi_term_batch_mode ?? null,
      batch_mode_enrollment_drop_status: options.batch_mode_enrollment_drop_status ?? null,
      skip_deletes: options.skip_deletes ?? false,
      override_sis_stickiness: options.override_sis_stickiness ?? false,
      add_sis_stickiness: options.add_sis_stickiness ?? false,
      clear_sis_stickiness: options.clear_sis_stickiness ?? false,
      update_sis_id_if_login_claimed: options.update_sis_id_if_login_claimed ?? false,
      diffing_drop_status: options.diffing_drop_status ?? null,
      diffing_user_remove_status: options.diffing_user_remove_status ?? null,
      diffing_remaster: options.diffing_remaster_data_set ?? null,
      change_threshold: options.change_threshold ?? null,
      diff_row_count_threshold: options.diff_row_count_threshold ?? null,
      processing_errors: row.processing_errors ?? undefined,
      processing_warnings: row.processing_warnings ?? undefined,
      errors_attachment: paper(row.errors_attachment_id),
      csv_attachments: filesOf('sent'),
      diffed_csv_attachments: filesOf('diffed'),
      user: senders.find((one) => one.row.id === row.user_id)?.json,
    };
  },
});

export const sisImportError = serializer({
  resource: SisImportError,
  table: sis_import_errors,
  json: (row: RowOf<typeof sis_import_errors>) => ({ ...row, row: row.row ?? undefined, row_info: row.row_info ?? undefined }),
});
