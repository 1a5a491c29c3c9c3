// sections.csv and xlists.csv: where people are in a course, and where sections stand for a while.

import { sql } from 'drizzle-orm';
import { randomText } from '../../database/tokens';
import type { Passage } from '../../live/passage';
import { insertMany, inTexts, isMoved, updateMany } from './changes_of_rows';
import { madeBy, noteState } from './import_places';
import { endEnrollments } from './rosters';
import { by, dateIn, hasAll, isBatch, type Kind, type Row, statusOf, tooLong, valuesIn } from './rules';
import { stuckIn, taken, type Values } from './stickiness';
import { Moved, Notes, rootId, type Work } from './work';

const states = ['active', 'deleted'] as const;

interface SectionFacts {
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

const factsOf = (work: Work, rows: readonly Row[], courseColumn: string) =>
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

/** Takes a section, and everybody in it, to another course: through the roster of the course that it leaves. */
async function move(work: Work, section: { id: number; course_id: number }, to: number, home: number | null): Promise<void> {
  work.calls += 1;
  const roster = work.env.COURSE_ROSTER.get(work.env.COURSE_ROSTER.idFromName(String(section.course_id)));
  const errand = {
    course_id: section.course_id,
    actor_id: work.it.user_id,
    now: work.now(),
    idempotency: undefined,
    section_id: section.id,
    to_course_id: to,
    home_course_id: home,
    isByImport: true,
  };
  const passage = (await roster.crosslist(errand)) as Passage<unknown>;
  // Gone meanwhile: what was read is read again.
  if (passage.outcome !== 'done') throw new Moved('a section has gone');
}

export const sectionRows: Kind = {
  cutting: { most: 500, touches: ({ section_id = '' }) => ({ makes: [section_id] }) },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, courses, integrations] = await factsOf(work, rows, 'course_id');
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
        return notes.warn(at, `the integration id "${cells.integration_id}" belongs to another section already`);
      const [start_at, end_at] = [dateIn(row, 'start_date', notes), dateIn(row, 'end_date', notes)];
      notes.applied += 1;
      seen.push(cells.section_id ?? '');
      if (status === 'deleted' && (options.skip_deletes || !it)) return;
      const isDated = start_at === undefined && end_at === undefined ? undefined : Number(Boolean(start_at ?? end_at));
      const restrict_enrollments_to_section_dates =
        it && it.restrict_enrollments_to_section_dates === null && isDated === 0 ? undefined : isDated;
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
      // While a section is cross-listed, its row says where its home is.
      const isAway = it.nonxlist_course_id !== null;
      const isStuck = stuckIn(it.stuck_sis_fields).has('course_id') && !options.override_sis_stickiness;
      const nonxlist_course_id = isAway && !isStuck ? course.id : it.nonxlist_course_id;
      if (!isAway && !isStuck && course.id !== it.course_id && status === 'active') moving.push({ section: it, to: course.id });
      const values = taken(
        { ...it },
        { ...wanted, nonxlist_course_id: nonxlist_course_id ?? undefined },
        ['name', 'start_at', 'end_at'],
        options,
      );
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
    for (const { section, to } of moving) if (section.workflow_state === 'active') await move(work, section, to, null);
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
    // One that comes back stands where its row says; nobody is in it.
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

export const xlistRows: Kind = {
  cutting: {
    most: 50,
    touches: ({ section_id = '', xlist_course_id = '' }) => ({ makes: [`section:${section_id}`, `course:${xlist_course_id}`] }),
  },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, courses] = await factsOf(work, rows, 'xlist_course_id');
    const [found, courseOf] = [by(there, ({ sis_section_id }) => sis_section_id), by(courses, ({ sis_course_id }) => sis_course_id)];
    const missing: { sis_course_id: string; uuid: string; home: number }[] = [];
    const moving: { section: SectionFacts; to: number | string; home: number | null }[] = [];

    const plan = (row: Row) => {
      const { at, cells } = row;
      if (!hasAll(row, ['xlist_course_id', 'section_id'], notes)) return;
      const status = statusOf(row, states, notes);
      if (!status) return;
      const section = found.get(cells.section_id ?? '');
      const target = courseOf.get(cells.xlist_course_id ?? '');
      if (!section || section.workflow_state === 'deleted') return notes.warn(at, `there is no section "${cells.section_id}"`);
      if (stuckIn(section.stuck_sis_fields).has('course_id') && !options.override_sis_stickiness)
        return notes.warn(at, `the section "${cells.section_id}" has been moved by hand`);
      if (target?.workflow_state === 'deleted' && status === 'active')
        return notes.warn(at, `the course "${cells.xlist_course_id}" is deleted`);
      notes.applied += 1;
      if (status === 'deleted') {
        if (section.nonxlist_course_id !== null && !options.skip_deletes)
          moving.push({ section, to: section.nonxlist_course_id, home: null });
        return;
      }
      const home = section.nonxlist_course_id ?? section.course_id;
      if (!target) {
        missing.push({ sis_course_id: cells.xlist_course_id ?? '', uuid: randomText(40), home });
        moving.push({ section, to: cells.xlist_course_id ?? '', home });
      } else if (target.id !== section.course_id) moving.push({ section, to: target.id, home: target.id === home ? null : home });
    };
    rows.forEach(plan);

    if (missing.length > 0) {
      // A course that only an xlist names is made like the section's own, in a step of its own.
      const ids = missing.map(({ sis_course_id }) => sis_course_id);
      const own = new Notes();
      own.tally('Course', 'created', ids.length);
      own.changes.push(madeBy('Course', 'courses', 'sis_course_id', ids));
      const ofHome = (column: string) => sql.raw(`(select c.${column} from courses c where c.id = j.value ->> 'home')`);
      await work.commit({
        notes: own,
        statements: insertMany(
          work.db,
          'courses',
          {
            sis_course_id: true,
            uuid: true,
            root_account_id: sql.raw(String(rootId)),
            account_id: ofHome('account_id'),
            enrollment_term_id: ofHome('enrollment_term_id'),
            name: ofHome('name'),
            course_code: ofHome('course_code'),
            workflow_state: sql`'claimed'`,
            settings: sql`'{}'`,
            sis_import_id: sql`${sis_import_id}`,
            created_at: sql`${now}`,
            updated_at: sql`${now}`,
          },
          missing,
        ),
      });
      const [made] = await work.read([
        work.db.build.all<{ id: number; sis_course_id: string }>(
          sql`select id, sis_course_id from courses where sis_course_id is not null and ${inTexts('sis_course_id', ids)}`,
        ),
      ]);
      for (const { id, sis_course_id } of made) courseOf.set(sis_course_id, { id, sis_course_id, workflow_state: 'claimed' });
    }
    for (const { section, to, home } of moving) {
      const id = typeof to === 'number' ? to : courseOf.get(to)?.id;
      if (id !== undefined) await move(work, section, id, home);
    }
    return { statements: [] };
  },
};
