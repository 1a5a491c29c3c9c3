// sections.csv: sections of courses.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import { stickyOf } from '../../../database/sticky';
import { endEnrollments } from '../roster/call_roster';
import { by, type Changing, dateIn, firstReason, hasAll, isBatch, type ParsedRow, type RowKind, statusOf, tooLong } from '../row_rules';
import { madeBy, noteState } from '../state_changes';
import { acceptedValues, type StickyValues, stuckIn } from '../stickiness';
import type { ImportOptions } from '../table';
import type { Notes } from '../work';
import { moveSection, type SectionFacts, sectionFacts } from './existing_sections';

const states = ['active', 'deleted'] as const;

interface CourseThere {
  readonly id: number;
  readonly workflow_state: string;
}

interface Facts {
  readonly found: ReadonlyMap<string, SectionFacts>;
  readonly courseOf: ReadonlyMap<string, CourseThere>;
  readonly claimed: ReadonlyMap<string, { readonly id: number }>;
  readonly options: ImportOptions;
}

interface Drafts {
  readonly made: (StickyValues & { sis_section_id: string })[];
  readonly changed: Changing[];
  readonly moving: { readonly section: SectionFacts; readonly to: number }[];
  readonly ending: number[];
  readonly seen: string[];
}

function refusalOf({ cells }: ParsedRow, status: (typeof states)[number], { found, courseOf, claimed }: Facts): string | undefined {
  const it = found.get(cells.section_id ?? '');
  const course = courseOf.get(cells.course_id ?? '');
  const owner = cells.integration_id ? claimed.get(cells.integration_id) : undefined;
  return firstReason(
    [!course, `there is no course "${cells.course_id}"`],
    [status === 'active' && course?.workflow_state === 'deleted', `the course "${cells.course_id}" is deleted`],
    [tooLong(cells.name), 'the name is longer than 255 characters'],
    [owner !== undefined && owner.id !== it?.id, `the integration id "${cells.integration_id}" already belongs to another section`],
  );
}

type Given = string | null | undefined;

/** Whether the dates of a section hold after a row; undefined where the row changes nothing of that. */
function isDated(start_at: Given, end_at: Given, it: SectionFacts | undefined): number | undefined {
  if (start_at === undefined && end_at === undefined) return undefined;
  // Repeating the same dates does not say whether they hold.
  const keeps = (given: Given, stored: string | null) => given === undefined || given === stored;
  const isSame = it !== undefined && keeps(start_at, it.start_at) && keeps(end_at, it.end_at);
  return isSame ? undefined : Number(Boolean(start_at ?? end_at));
}

function change(
  it: SectionFacts,
  wanted: StickyValues & { workflow_state: (typeof states)[number] },
  course: CourseThere,
  { options }: Facts,
  drafts: Drafts,
  notes: Notes,
) {
  // The row of a cross-listed section names its original course.
  const isAway = it.nonxlist_course_id !== null;
  const isStuck = stuckIn(it.stuck_sis_fields).has('course_id') && !options.override_sis_stickiness;
  const home = isAway && !isStuck ? course.id : it.nonxlist_course_id;
  const moves = !isAway && !isStuck && course.id !== it.course_id && wanted.workflow_state === 'active';
  if (moves) drafts.moving.push({ section: it, to: course.id });
  const values = acceptedValues({ ...it }, { ...wanted, nonxlist_course_id: home ?? undefined }, stickyOf('sections'), options);
  if (!values) return;
  drafts.changed.push({ ...values, id: it.id, stuck: it.stuck_sis_fields });
  noteState(notes, 'CourseSection', it.id, it.workflow_state, values.workflow_state);
  if (values.workflow_state === 'deleted' && it.workflow_state !== 'deleted') drafts.ending.push(it.id);
}

function plan(row: ParsedRow, facts: Facts, drafts: Drafts, notes: Notes) {
  const { at, cells } = row;
  if (!hasAll(row, ['section_id', 'course_id', 'name'], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const refusal = refusalOf(row, status, facts);
  const course = facts.courseOf.get(cells.course_id ?? '');
  if (refusal || !course) return notes.warn(at, refusal ?? '');
  const [start_at, end_at] = [dateIn(row, 'start_date', notes), dateIn(row, 'end_date', notes)];
  const sis_section_id = cells.section_id ?? '';
  const it = facts.found.get(sis_section_id);
  notes.applied += 1;
  drafts.seen.push(sis_section_id);
  if (status === 'deleted' && (facts.options.skip_deletes || !it)) return;
  const wanted = {
    name: cells.name,
    integration_id: cells.integration_id || undefined,
    start_at,
    end_at,
    restrict_enrollments_to_section_dates: isDated(start_at, end_at, it),
    workflow_state: status,
  };
  if (it) return change(it, wanted, course, facts, drafts, notes);
  drafts.made.push({ ...wanted, sis_section_id, course_id: course.id });
  notes.tally('CourseSection', 'created');
}

export const sectionRows: RowKind = {
  cutting: { most: 500, touches: ({ section_id = '' }) => ({ makes: [section_id] }) },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, courses, integrations] = await sectionFacts(work, rows, 'course_id');
    const [found, courseOf] = [by(there, ({ sis_section_id }) => sis_section_id), by(courses, ({ sis_course_id }) => sis_course_id)];
    const claimed = by(integrations, ({ integration_id }) => integration_id);
    const drafts: Drafts = { made: [], changed: [], moving: [], ending: [], seen: [] };
    const { made, changed, moving, ending, seen } = drafts;
    for (const row of rows) plan(row, { found, courseOf, claimed, options }, drafts, notes);

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
