// The sections named in rows, and moving a section to another course.

import { type SQL, sql } from 'drizzle-orm';
import { inTexts } from '../../../database/many_rows';
import type { ObjectCallResult } from '../../../live/call_result';
import { type ParsedRow, valuesIn } from '../row_rules';
import { type ImportWork, Moved, type Notes } from '../work';

export interface SectionFacts {
  readonly id: number;
  readonly sis_section_id: string;
  readonly course_id: number;
  readonly nonxlist_course_id: number | null;
  readonly name: string;
  readonly integration_id: string | null;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly restrict_enrollments_to_section_dates: number | null;
  readonly workflow_state: 'active' | 'deleted';
  readonly stuck_sis_fields: string | null;
}

const columnsOfSection = sql.raw(
  'id, sis_section_id, course_id, nonxlist_course_id, name, integration_id, start_at, end_at, restrict_enrollments_to_section_dates, workflow_state, stuck_sis_fields',
);

export const sectionFacts = (work: ImportWork, rows: readonly ParsedRow[], courseColumn: string) =>
  work.read([
    work.db.build.all<SectionFacts>(
      sql`select ${columnsOfSection} from sections where sis_section_id is not null and ${inTexts('sis_section_id', valuesIn(rows, 'section_id'))}`,
    ),
    work.db.build.all<{ id: number; sis_course_id: string; workflow_state: string }>(
      sql`select id, sis_course_id, workflow_state from courses where sis_course_id is not null and ${inTexts('sis_course_id', valuesIn(rows, courseColumn))}`,
    ),
    work.db.build.all<{ id: number; integration_id: string }>(
      sql`select id, integration_id from sections where integration_id is not null and ${inTexts('integration_id', valuesIn(rows, 'integration_id'))}`,
    ),
  ]);

/** Moves a section with its enrollments to another course, through the roster of its current course. */
export async function moveSection(
  work: ImportWork,
  section: { id: number; course_id: number },
  to: number,
  home: number | null,
): Promise<void> {
  work.calls += 1;
  const roster = work.env.COURSE_ROSTER.get(work.env.COURSE_ROSTER.idFromName(String(section.course_id)));
  const request = {
    course_id: section.course_id,
    actor_id: work.it.user_id,
    now: work.now(),
    idempotency: undefined,
    section_id: section.id,
    to_course_id: to,
    home_course_id: home,
    isByImport: true,
  };
  const callResult = (await roster.crosslist(request)) as ObjectCallResult<unknown>;
  // Deleted meanwhile: read again.
  if (callResult.outcome !== 'done') throw new Moved('a section was deleted');
}

/** The sections of deleted courses, which are deleted with them: recorded, so that they can be restored together. */
export async function noteSectionsOf(work: ImportWork, courses: SQL, notes: Notes, by_batch = false): Promise<void> {
  const [sections] = await work.read([
    work.db.build.all<{ id: number }>(sql`select id from sections where course_id in (${courses}) and workflow_state = 'active'`),
  ]);
  for (const { id } of sections) notes.changed('CourseSection', 'deleted', id, 'active', 'deleted', by_batch);
}
