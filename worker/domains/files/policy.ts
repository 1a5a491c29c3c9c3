// Which files a viewer may see, as SQL.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isActiveGrader } from '../../contexts/predicates';
import { readId } from '../../contexts/references';
import { meets } from '../../contexts/section_limit';
import type { Viewer } from '../../contexts/viewer';
import { isInSelect } from '../../database/ids';
import type { Database } from '../../database/open';
import { assignmentOfSubmission } from '../../rules/submission_ids';
import { heldBy } from './folders/paths';
import { shutFolders } from './folders/policy';
import type { FileContext } from './place';
import { files } from './table';

/** Literal, to match the partial index of restricted files; the index is named because SQLite would choose a longer one. */
const isRestricted = sql`(hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null)`;

/** Not available now: hidden, locked, or outside its dates. Unqualified columns. */
const isShut = (now: string) => sql`(hidden = 1 or locked = 1 or unlock_at > ${now} or lock_at <= ${now})`;

/** Files of the context. */
export const keptIn = ({ context_type, context_id }: Pick<FileContext, 'context_type' | 'context_id'>): SQL =>
  and(eq(files.context_type, context_type), eq(files.context_id, context_id), eq(files.workflow_state, 'available')) as SQL;

/** The files of a context that lists show the caller. Modules lock files too, but do not hide them from lists. */
export const listedFiles = (place: FileContext, now: string): SQL | undefined =>
  place.seesAll
    ? undefined
    : sql`${files.hidden} = 0 and ${files.locked} = 0 and (${files.unlock_at} is null or ${files.unlock_at} <= ${now}) and (${files.lock_at} is null or ${files.lock_at} > ${now}) and ${files.folder_id} not in (${shutFolders(place, now)})`;

/** Numbers of unlisted files in visible folders: rows of (id, count). */
export const unlistedFiles = (db: Database, folderIds: SQL, now: string) =>
  db.build
    .select({ id: sql<number>`folder_id`.as('id'), count: sql<number>`count(*)`.as('count') })
    .from(sql`files indexed by files_restricted`)
    .where(and(isInSelect(sql`folder_id`, folderIds), sql`workflow_state = 'available' and ${isRestricted} and ${isShut(now)}`))
    .groupBy(sql`folder_id`);

/** For `isInSelect`: the context of the path's file. */
export const ofFile = ({ id = '' }: Readonly<Record<string, string>>) => {
  const holder = (type: string) =>
    sql`select context_id from files where id = ${readId(id) ?? 0} and context_type = ${type} and workflow_state = 'available'`;
  return { course: holder('Course'), user: holder('User'), group: holder('Group') };
};

/** The id of the current file in place of the given one: an overwritten file refers to its replacement. */
export const currentFileId = (id: number): SQL => sql`(select coalesce(replacement_file_id, id) from files where id = ${id})`;

/**
 * Whether the file is the work of a student who is anonymous to graders: a part of a submission, of an earlier attempt, or of a comment. For a row of `files`.
 */
export const isAnonymousWork: SQL<number> = sql<number>`(files.context_type = 'User' and exists (
  select 1 from submissions s join assignments on assignments.id = s.assignment_id and assignments.anonymize_students = 1
  where s.user_id = files.context_id and (exists (select 1 from json_each(s.attachment_ids) j where j.value = files.id)
    or exists (select 1 from submission_versions v, json_each(v.version, '$.attachment_ids') j where v.submission_id = s.id and j.value = files.id)
    or exists (select 1 from submission_comments c, json_each(c.attachment_ids) j where c.submission_id = s.id and c.author_id = s.user_id and j.value = files.id))))`;

/** Whether the user grades a student in a course, in SQL; of section-restricted graders, only those in their sections. */
const gradesStudent = (me: Viewer, course: string, student: string): SQL =>
  sql`exists (select 1 from enrollments e where e.course_id = ${sql.raw(course)} and e.user_id = ${me.id} and ${isActiveGrader('e')}
    and (e.limit_privileges_to_course_section = 0 or exists (select 1 from enrollments t where t.course_id = e.course_id and t.user_id = ${sql.raw(student)} and t.enrollment_state not in ('deleted', 'rejected') and ${meets('e', 't')})))`;

/** The file is in an answer of a completed attempt at a quiz or New Quiz, whose student the user grades. A file for a graded one names its submission. */
const isGradedAnswer = (me: Viewer): SQL =>
  sql`exists (select 1 from quiz_submissions q left join quizzes z on z.id = q.quiz_id left join assignments a on a.id = iif(q.quiz_id < 0, -q.quiz_id, z.assignment_id)
    join quiz_attempts tried on tried.quiz_submission_id = q.id and tried.workflow_state in ('complete', 'pending_review')
    join quiz_answers given on given.quiz_submission_id = q.id and given.attempt = tried.attempt, json_each(given.answer) j
    where q.user_id = ${files.context_id} and a.id is ${assignmentOfSubmission(files.submission_id)} and j.value = ${files.id}
      and coalesce(a.anonymize_students, z.anonymous_submissions) = 0 and ${gradesStudent(me, 'q.course_id', 'q.user_id')})`;

/**
 * Files readable without access to their context: visible to the institution or public, or submitted by a student whom the caller grades (within the
 * caller's sections, if section-restricted) and knows by name.
 */
export const openToMany = (me: Viewer): SQL =>
  sql`(${files.visibility_level} in ('public', 'institution') or (${files.is_submitted} = 1 and (exists (
    select 1 from submissions s join assignments on assignments.id = s.assignment_id and assignments.anonymize_students = 0, json_each(s.attachment_ids) a
    where s.user_id = ${files.context_id} and a.value = ${files.id} and ${gradesStudent(me, 's.course_id', 's.user_id')}) or ${isGradedAnswer(me)})))`;

/** The file at a path that begins with the root folder's name. File names may contain slashes, so every split is tried. */
export function atPath(place: FileContext, pathname: string): SQL {
  const segments = (pathname.split('/file_contents/')[1] ?? '').split('/').map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
  const cuts = segments.slice(1).map((_, at) => ({ folder: segments.slice(0, at + 1).join('/'), name: segments.slice(at + 1).join('/') }));
  return sql`${files.id} in (select f.id from json_each(${JSON.stringify(cuts)}) cut cross join folders on folders.full_name = cut.value ->> 'folder' join files f on f.folder_id = folders.id and f.display_name = cut.value ->> 'name' and f.workflow_state = 'available' where ${heldBy(place)})`;
}
