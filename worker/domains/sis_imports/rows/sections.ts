// sections.csv: sections of courses.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import { stickyOf } from '../../../database/sticky';
import { endEnrollments } from '../roster/call_roster';
import { by, dateIn, hasAll, isBatch, type Kind, type Row, statusOf, tooLong } from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import { stuckIn, taken, type Values } from '../stickiness';
import { moveSection, type SectionFacts, sectionFacts } from './existing_sections';

const states = ['active', 'deleted'] as const;

export const sectionRows: Kind = {
  cutting: { most: 500, touches: ({ section_id = '' }) => ({ makes: [section_id] }) },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, courses, integrations] = await sectionFacts(work, rows, 'course_id');
    const [found, courseOf] = [by(there, ({ sis_section_id }) => sis_section_id), by(courses, ({ sis_course_id }) => sis_course_id)];
    const claimed = by(integrations, ({ integration_id }) => integration_id);
    const made: (Values & { sis_section_id: string })[] = [];
    const changed: (Record<string, unknown> & { id: number; stuck: string | null })[] = [];
    const moving: { section: SectionFacts; to: number }[] = [];
    const ending: number[] = [];
    const seen: string[] = [];

    const plan = (row: Row) => {
      const { at, cells } = row;
      if (!hasAll(row, ['section_id', 'course_id', 'name'], notes)) return;
      const status = statusOf(row, states, notes);
      if (!status) return;
      const it = found.get(cells.section_id ?? '');
      const course = courseOf.get(cells.course_id ?? '');
      const owner = cells.integration_id ? claimed.get(cells.integration_id) : undefined;
      if (!course) return notes.warn(at, `there is no course "${cells.course_id}"`);
      if (status === 'active' && course.workflow_state === 'deleted') return notes.warn(at, `the course "${cells.course_id}" is deleted`);
      if (tooLong(cells.name)) return notes.warn(at, 'the name is longer than 255 characters');
      if (owner && owner.id !== it?.id)
        return notes.warn(at, `the integration id "${cells.integration_id}" already belongs to another section`);
      const [start_at, end_at] = [dateIn(row, 'start_date', notes), dateIn(row, 'end_date', notes)];
      notes.applied += 1;
      seen.push(cells.section_id ?? '');
      if (status === 'deleted' && (options.skip_deletes || !it)) return;
      // Unchanged dates do not change whether they apply.
      const isSame =
        it !== undefined && (start_at === undefined || start_at === it.start_at) && (end_at === undefined || end_at === it.end_at);
      const restrict_enrollments_to_section_dates =
        isSame || (start_at === undefined && end_at === undefined) ? undefined : Number(Boolean(start_at ?? end_at));
      const wanted = {
        name: cells.name,
        integration_id: cells.integration_id || undefined,
        start_at,
        end_at,
        restrict_enrollments_to_section_dates,
        workflow_state: status,
      };
      if (!it) {
        made.push({ ...wanted, sis_section_id: cells.section_id ?? '', course_id: course.id });
        notes.tally('CourseSection', 'created');
        return;
      }
      // While a section is cross-listed, the row refers to its original course.
      const isAway = it.nonxlist_course_id !== null;
      const isStuck = stuckIn(it.stuck_sis_fields).has('course_id') && !options.override_sis_stickiness;
      const nonxlist_course_id = isAway && !isStuck ? course.id : it.nonxlist_course_id;
      if (!isAway && !isStuck && course.id !== it.course_id && status === 'active') moving.push({ section: it, to: course.id });
      const values = taken({ ...it }, { ...wanted, nonxlist_course_id: nonxlist_course_id ?? undefined }, stickyOf('sections'), options);
      if (!values) return;
      changed.push({ ...values, id: it.id, stuck: it.stuck_sis_fields });
      noteState(notes, 'CourseSection', it.id, it.workflow_state, values.workflow_state ?? it.workflow_state);
      if (values.workflow_state === 'deleted' && it.workflow_state !== 'deleted') ending.push(it.id);
    };
    rows.forEach(plan);

    if (ending.length > 0)
      await endEnrollments(
        work,
        sql`select id from enrollments where course_section_id in (select value from json_each(${JSON.stringify(ending)}))`,
        'deleted',
        notes,
      );
    for (const { section, to } of moving) if (section.workflow_state === 'active') await moveSection(work, section, to, null);
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'CourseSection',
          'sections',
          'sis_section_id',
          made.map(({ sis_section_id }) => sis_section_id),
        ),
      );
    if (isBatch(options))
      notes.seen.push({
        model: 'CourseSection',
        select: sql`select id from sections where sis_section_id is not null and ${inTexts('sis_section_id', seen)}`,
      });
    const columns = {
      name: true,
      integration_id: true,
      start_at: true,
      end_at: true,
      restrict_enrollments_to_section_dates: true,
      workflow_state: true,
      sis_import_id: sql`${sis_import_id}`,
      updated_at: sql`${now}`,
    } as const;
    // A restored section goes where its row states; it has no enrollments.
    const revived = moving
      .filter(({ section }) => section.workflow_state !== 'active')
      .map(({ section, to }) => ({ id: section.id, course_id: to }));
    return {
      statements: [
        ...updateMany(work.db, 'sections', { ...columns, nonxlist_course_id: true, stuck_sis_fields: true }, changed),
        ...updateMany(work.db, 'sections', { course_id: true }, revived),
        ...insertMany(work.db, 'sections', { sis_section_id: true, course_id: true, ...columns, created_at: sql`${now}` }, made),
      ],
      moved: changed.length > 0 ? [isMoved('sections', changed)] : [],
    };
  },
};
