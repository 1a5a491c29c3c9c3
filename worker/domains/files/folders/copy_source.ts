// The source of a copy, which may be in another course than the request, and the caller's permissions there.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { loadedCourseRows, loadedCourses } from '../../../contexts/loaded_courses';
import type { ResultsOf } from '../../../database/open';
import type { Call } from '../../../http/call';
import { courses } from '../../courses/table';
import { isBound, moduleLockOf, selectLocks } from '../../modules/locks';
import type { FileRow } from '../json';
import { type FileContext, fileContextOf, thePlace } from '../place';
import { ancestry, chainOfFolder, lockOf } from './ancestry';
import type { Holder } from './paths';

/** Reads the caller's permissions in the selected course, in the round trip that reads the source. */
export const sourceStatements = (call: Call, course_id: SQL) =>
  [
    call.db.build
      .select()
      .from(courses)
      .where(eq(courses.id, sql`(${course_id})`)),
    loadedCourseRows(course_id, call),
  ] as const;

/** Reads whether a file is available to the caller, in the round trip that reads the file. */
export const openStatements = (call: Call, file_id: number) =>
  [
    ancestry(call.db, sql`select folder_id from files where id = ${file_id}`),
    selectLocks(call.db, 'File', sql`select ${file_id}`, call.me.id),
  ] as const;

type Found<S extends (...given: never[]) => readonly unknown[]> = ResultsOf<ReturnType<S>>;

interface Source {
  readonly place: FileContext;
  readonly course: CourseContext | undefined;
}

/** The source's context with the caller's permissions there; undefined without any. */
export function copySourceOf(
  call: Call,
  { context_type, context_id }: Holder,
  [[course], standing]: Found<typeof sourceStatements>,
): Source | undefined {
  const here = fileContextOf(call);
  if (here?.context_type === context_type && here.context_id === context_id) return { place: here, course: call.course };
  if (context_type === 'Course' && course && course.workflow_state !== 'deleted') {
    const { context } = loadedCourses(standing, call)(course);
    const place = fileContextOf({ me: call.me, course: context, user: undefined, group: undefined });
    return place && { place, course: context };
  }
  if (context_type === 'User' && context_id === call.me.id)
    return { place: { ...thePlace(call), context_type, context_id, reads: true, seesAll: true, edits: true }, course: undefined };
  return undefined;
}

/** Whether the caller may download the file now; required because a copy would outlive its lock. */
export function isOpen({ place, course }: Source, file: FileRow, [above, modules]: Found<typeof openStatements>, now: string): boolean {
  if (!place.reads || place.seesAll) return place.reads;
  const chain = [file, ...chainOfFolder(above, file.folder_id)];
  if (!place.lists || chain.some(({ hidden }) => hidden) || lockOf(chain, now)) return false;
  return !(course && isBound(course) && moduleLockOf(modules, 'File', file.id, now));
}
