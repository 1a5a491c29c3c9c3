// Imports of gradebooks: a file is uploaded and checked, its changes are listed, and then confirmed. Carrel's own endpoints: Canvas has them for its
// pages only.

import { BadCsv } from '@carrel/shared/csv/reader';
import { bool, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Database, Statement } from '../../../database/open';
import { randomText } from '../../../database/tokens';
import { attachedFile } from '../../../http/attached_file';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, problem, unauthorized } from '../../../http/problem';
import { judged, list, one, type Reply, write } from '../../../http/reply';
import { seesNames } from '../../../rules/anonymous_grading';
import { valuesOf } from '../../assignments/input';
import { contextZoneOf } from '../../assignments/overrides/json';
import { createAssignment, newestAssignment } from '../../assignments/writes';
import { queueProgress } from '../../progress/progress';
import { gradebookAssignments, gradebookCustomColumns, gradebookGroups, refusalOf } from '../columns';
import { columnsOf } from '../headers';
import { gradebookUpload, gradebookUploadRow } from '../json';
import { gradebook_upload_rows, gradebook_uploads, type UploadColumn, type UploadReach } from '../table';
import { applyJob, applyTag } from './apply_job';
import { checkJob, checkTag } from './check_job';
import { type GradebookFile, readGradebook, relevantCells } from './read_file';

const base = '/courses/:course_id/gradebook_uploads';
const can = 'manage_grades';

/** In bytes: the grades of 500 students in 200 assignments are 1 MB. */
const largest = 5_000_000;
/** Characters of one statement with rows. */
const longestPart = 400_000;
const mostNewAssignments = 50;

type Here = Call & { readonly course: CourseContext };

/** Uploads are of the user who made them, because they have the students whom that user grades. */
const itself = ({ course, me, id }: Pick<Here, 'course' | 'me'> & { readonly id: number }): SQL =>
  and(eq(gradebook_uploads.id, id), eq(gradebook_uploads.course_id, course.id), eq(gradebook_uploads.user_id, me.id)) as SQL;

const reachOf = (course: CourseContext): UploadReach => ({ sections: course.sectionLimit, isAdmin: seesNames(course) });

/** @throws Problem 400 */
async function fileIn(request: Request): Promise<{ readonly name: string; readonly size: number; readonly file: GradebookFile }> {
  const { name, bytes } = await attachedFile(request, largest, 'No file attached');
  try {
    return { name: name.slice(0, 255) || 'gradebook.csv', size: bytes.length, file: readGradebook(bytes) };
  } catch (error) {
    if (error instanceof BadCsv) throw problem(400, `The file cannot be read: ${error.message}`);
    throw error;
  }
}

/** The rows of students, in statements that D1 takes. */
function insertRows(
  db: Database,
  uuid: string,
  { rows: students }: GradebookFile,
  columns: readonly UploadColumn[],
  clears: boolean,
  now: string,
): Statement[] {
  const parts: string[][] = [];
  let length = longestPart;
  for (const { row, student, cells } of students) {
    const text = JSON.stringify([row, student, relevantCells(cells, columns, clears)]);
    if (length + text.length > longestPart) {
      parts.push([]);
      length = 0;
    }
    length += text.length;
    parts.at(-1)?.push(text);
  }
  return parts.map((part) =>
    db.build.run(sql`insert into gradebook_upload_rows (upload_id, row, student, cells, created_at)
      select u.id, j.value ->> 0, j.value -> 1, j.value -> 2, ${now} from json_each(${`[${part.join(',')}]`}) j cross join gradebook_uploads u on u.uuid = ${uuid} order by j.key`),
  );
}

/** The job of the upload, which gets its id. */
const queueJob = (db: Database, upload: SQL, call: Pick<Here, 'me' | 'course' | 'now'>, tag: string): Statement[] => [
  queueProgress(db, { context_type: 'Course', context_id: call.course.id, user_id: call.me.id, tag }, call.now),
  db.build.run(sql`update progress set arguments = json_object('upload_id', (${upload})) where id = last_insert_rowid()`),
  db.build.run(sql`update gradebook_uploads set progress_id = last_insert_rowid() where id = (${upload})`),
];

/** Sends the message of the job. If it is lost, the scheduled run sends another. */
const sendAfterwards = ({ afterwards, db, env }: Pick<Call, 'afterwards' | 'db' | 'env'>, where: SQL, job: string) =>
  afterwards(async () => {
    const [[made]] = await db.aside.perform([
      db.build.select({ progress_id: gradebook_uploads.progress_id }).from(gradebook_uploads).where(where),
    ]);
    if (made?.progress_id) await env.WORK.send({ job, progress_id: made.progress_id });
  });

async function receive(call: Here & { readonly params: { readonly clear_blank_cells?: boolean } }): Promise<Reply> {
  const { db, course, me, now } = call;
  const { name, size, file } = await fileIn(call.request);
  const [assignments, customColumns, groups] = await db.perform([
    gradebookAssignments(db, course.id),
    gradebookCustomColumns(db, course.id, true),
    gradebookGroups(db, course.id),
  ]);
  const reach = reachOf(course);
  const known = {
    assignments: assignments.map((one) => ({ id: one.id, name: one.name, refused: refusalOf(one, reach.isAdmin) })),
    customColumns,
    groups: groups.map((one) => one.name),
    hasOverrides: course.settings.allow_final_grade_override === true,
  };
  const columns = columnsOf(file.headers, known, file.points);
  const clears = call.params.clear_blank_cells ?? false;
  const uuid = randomText(24);
  const made = eq(gradebook_uploads.uuid, uuid);
  sendAfterwards(call, made, checkJob);
  return write(
    [
      db.build.insert(gradebook_uploads).values({
        uuid,
        course_id: course.id,
        user_id: me.id,
        filename: name,
        size,
        columns,
        options: { reach, clears, hasDecimalComma: file.hasDecimalComma },
        row_count: file.rows.length,
        created_at: now,
        updated_at: now,
      }),
      ...insertRows(db, uuid, file, columns, clears, now),
      ...queueJob(db, sql`select u.id from gradebook_uploads u where u.uuid = ${uuid}`, call, checkTag),
    ],
    one(rows(gradebook_uploads, { where: made })),
  );
}

/** Creates an assignment for a column, and stores its id there. */
function createFor(call: Here, id: number, { header, points_possible }: UploadColumn, at: number): Statement[] {
  const given = {
    name: header.trim(),
    points_possible: points_possible ?? 0,
    grading_type: 'points',
    submission_types: ['none'],
    published: true,
  } as const;
  const values = valuesOf({ ...given, submission_types: [...given.submission_types] }, call.course, contextZoneOf(call));
  return [
    ...createAssignment(call, values, { ...given, submission_types: [...given.submission_types] }),
    call.db.build.run(
      sql`update gradebook_uploads set columns = json_set(columns, ${`$[${at}].assignment_id`}, (${newestAssignment})) where id = ${id}`,
    ),
  ];
}

const notChecked = () => problem(409, 'The file has not been checked, or its changes are already confirmed');

async function confirm(call: Here & { readonly id: number; readonly params: { readonly create_assignments?: boolean } }): Promise<Reply> {
  const { db, course, id, now } = call;
  const [[read]] = await db.perform([db.build.select().from(gradebook_uploads).where(itself(call))]);
  const upload = found(read);
  if (upload.workflow_state !== 'checked') throw notChecked();
  const wanted = call.params.create_assignments
    ? upload.columns.flatMap((column, at) => (column.kind === 'new_assignment' ? [{ column, at }] : []))
    : [];
  if (wanted.length > 0 && !course.can('manage_assignments_add')) throw unauthorized();
  if (wanted.length > mostNewAssignments) throw problem(400, `A file may create up to ${mostNewAssignments} assignments`);
  sendAfterwards(call, eq(gradebook_uploads.id, id), applyJob);
  return write(
    [
      db.build.run(sql`update gradebook_uploads set workflow_state = case when workflow_state = 'checked' then 'applying' end,
        options = json_set(options, '$.reach', json(${JSON.stringify(reachOf(course))})), updated_at = ${now} where id = ${id}`),
      ...wanted.flatMap(({ column, at }) => createFor(call, id, column, at)),
      ...queueJob(db, sql`select ${id}`, call, applyTag),
    ],
    one(rows(gradebook_uploads, { where: itself(call) })),
    { 'gradebook_uploads.workflow_state': notChecked },
  );
}

export const gradebookUploadRoutes = [
  post(
    base,
    {
      can,
      rawBody: true,
      params: { clear_blank_cells: optional(bool) },
      returns: gradebookUpload,
      summary: "Upload a gradebook as CSV, and list what it would change (Carrel's own)",
    },
    (call) => receive(call),
  ),

  get(`${base}/:id`, { can, fresh: true, returns: gradebookUpload, summary: "Get an uploaded gradebook (Carrel's own)" }, (call) =>
    one(rows(gradebook_uploads, { where: itself(call) })),
  ),

  get(
    `${base}/:id/rows`,
    { can, fresh: true, returns: [gradebookUploadRow], summary: "List the changes of an uploaded gradebook by student (Carrel's own)" },
    (call) =>
      judged(
        call.db.build.select({ id: gradebook_uploads.id }).from(gradebook_uploads).where(itself(call)),
        ([upload]) => {
          found(upload);
        },
        list(
          rows(gradebook_upload_rows, { where: eq(gradebook_upload_rows.upload_id, call.id), order: ascending(gradebook_upload_rows.row) }),
        ),
      ),
  ),

  post(
    `${base}/:id/confirm`,
    {
      can,
      params: { create_assignments: optional(bool) },
      returns: gradebookUpload,
      summary: "Apply the changes of an uploaded gradebook (Carrel's own)",
    },
    (call) => confirm(call),
  ),
];
