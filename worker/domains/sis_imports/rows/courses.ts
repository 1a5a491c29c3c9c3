// courses.csv.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts, isMoved, updateMany } from '../../../database/many_rows';
import { endEnrollments } from '../roster/call_roster';
import { by, isBatch, type RowKind, valuesIn } from '../row_rules';
import { madeBy } from '../state_changes';
import { rootId } from '../work';
import { followStatements, selectBlueprints } from './blueprints';
import { type AbstractFacts, type CourseDrafts, type CourseFacts, type CourseRowFacts, planCourse } from './decide_courses';
import { noteSectionsOf } from './existing_sections';

export const courseRows: RowKind = {
  cutting: { most: 500, touches: ({ course_id = '' }) => ({ makes: [course_id] }) },
  async apply(work, rows, notes) {
    const { build } = work.db;
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, accounts, terms, abstracts, integrations, blueprints] = await work.read([
      build.all<CourseFacts>(
        sql`select id, sis_course_id, name, course_code, account_id, enrollment_term_id, workflow_state, integration_id, start_at, end_at, restrict_enrollments_to_course_dates, course_format, friendly_name, abstract_course_id, settings, stuck_sis_fields
          from courses where sis_course_id is not null and ${inTexts('sis_course_id', valuesIn(rows, 'course_id'))}`,
      ),
      build.all<{ id: number; sis: string }>(
        sql`select id, sis_account_id as sis from accounts where sis_account_id is not null and workflow_state = 'active' and ${inTexts('sis_account_id', valuesIn(rows, 'account_id'))}`,
      ),
      build.all<{ id: number; sis: string; is_default: number }>(
        sql`select id, sis_term_id as sis, is_default from terms where workflow_state = 'active' and (is_default = 1 or ${inTexts('sis_term_id', valuesIn(rows, 'term_id'))})`,
      ),
      build.all<AbstractFacts>(
        sql`select id, sis_abstract_course_id as sis, name, short_name, account_id, enrollment_term_id from abstract_courses where workflow_state = 'active' and ${inTexts('sis_abstract_course_id', valuesIn(rows, 'abstract_course_id'))}`,
      ),
      build.all<{ id: number; integration_id: string }>(
        sql`select id, integration_id from courses where integration_id is not null and ${inTexts('integration_id', valuesIn(rows, 'integration_id'))}`,
      ),
      selectBlueprints(work.db, rows),
    ]);
    const found = by(there, ({ sis_course_id }) => sis_course_id);
    const [accountOf, termOf, abstractOf] = [by(accounts, ({ sis }) => sis), by(terms, ({ sis }) => sis), by(abstracts, ({ sis }) => sis)];
    const claimed = by(integrations, ({ integration_id }) => integration_id);
    const defaultTerm = terms.find(({ is_default }) => is_default === 1)?.id ?? 1;
    const drafts: CourseDrafts = { made: [], changed: [], ending: [], seen: [], following: [] };
    const { made, changed, ending, seen, following } = drafts;
    const facts: CourseRowFacts = { found, claimed, accountOf, termOf, abstractOf, defaultTerm, blueprints, options };
    for (const row of rows) planCourse(row, facts, drafts, notes);

    const gone = sql`select value from json_each(${JSON.stringify(ending)})`;
    if (ending.length > 0) {
      await endEnrollments(work, sql`select id from enrollments where course_id in (${gone})`, 'deleted', notes);
      await noteSectionsOf(work, gone, notes);
    }
    if (made.length > 0)
      notes.changes.push(
        madeBy(
          'Course',
          'courses',
          'sis_course_id',
          made.map(({ sis_course_id }) => sis_course_id),
        ),
      );
    if (isBatch(options))
      notes.seen.push({
        model: 'Course',
        select: sql`select id from courses where sis_course_id is not null and ${inTexts('sis_course_id', seen)}`,
      });
    const columns = {
      name: true,
      course_code: true,
      account_id: true,
      enrollment_term_id: true,
      workflow_state: true,
      integration_id: true,
      start_at: true,
      end_at: true,
      restrict_enrollments_to_course_dates: true,
      course_format: true,
      friendly_name: true,
      abstract_course_id: true,
      settings: true,
      sis_import_id: sql`${sis_import_id}`,
      updated_at: sql`${now}`,
    } as const;
    return {
      statements: [
        ...updateMany(work.db, 'courses', { ...columns, stuck_sis_fields: true }, changed),
        ...(ending.length > 0
          ? [
              build.run(
                sql`update sections set workflow_state = 'deleted', updated_at = ${now} where course_id in (${gone}) and workflow_state = 'active'`,
              ),
            ]
          : []),
        ...insertMany(
          work.db,
          'courses',
          { ...columns, sis_course_id: true, uuid: true, root_account_id: sql.raw(String(rootId)), created_at: sql`${now}` },
          made,
        ),
        ...insertMany(
          work.db,
          'assignment_groups',
          {
            course_id: sql.raw("(select c.id from courses c where c.uuid = j.value ->> 'uuid')"),
            name: sql`'Assignments'`,
            position: sql.raw('1'),
            created_at: sql`${now}`,
            updated_at: sql`${now}`,
          },
          made.map(({ uuid }) => ({ uuid })),
        ),
        ...followStatements(work.db, following, now),
      ],
      moved: changed.length > 0 ? [isMoved('courses', changed)] : [],
    };
  },
};
