// xlists.csv: cross-listing of sections.

import { sql } from 'drizzle-orm';
import { insertMany, inTexts } from '../../../database/many_rows';
import { randomText } from '../../../database/tokens';
import { by, firstReason, hasAll, type ParsedRow, type RowKind, statusOf } from '../row_rules';
import { madeBy } from '../state_changes';
import { stuckIn } from '../stickiness';
import type { ImportOptions } from '../table';
import { Notes, rootId } from '../work';
import { moveSection, type SectionFacts, sectionFacts } from './existing_sections';

const states = ['active', 'deleted'] as const;

interface Drafts {
  /** Courses that only the rows name. */
  readonly missing: { readonly sis_course_id: string; readonly uuid: string; readonly home: number }[];
  readonly moving: { readonly section: SectionFacts; readonly to: number | string; readonly home: number | null }[];
}

interface Facts {
  readonly found: ReadonlyMap<string, SectionFacts>;
  readonly courseOf: ReadonlyMap<string, { readonly id: number; readonly workflow_state: string }>;
  readonly options: ImportOptions;
}

function refusalOf({ cells }: ParsedRow, status: (typeof states)[number], { found, courseOf, options }: Facts): string | undefined {
  const section = found.get(cells.section_id ?? '');
  if (!section || section.workflow_state === 'deleted') return `there is no section "${cells.section_id}"`;
  const isStuck = stuckIn(section.stuck_sis_fields).has('course_id') && !options.override_sis_stickiness;
  const isGone = courseOf.get(cells.xlist_course_id ?? '')?.workflow_state === 'deleted';
  return firstReason(
    [isStuck, `the section "${cells.section_id}" has already been moved by hand`],
    [isGone && status === 'active', `the course "${cells.xlist_course_id}" is deleted`],
  );
}

function plan(row: ParsedRow, facts: Facts, { missing, moving }: Drafts, notes: Notes) {
  const { at, cells } = row;
  if (!hasAll(row, ['xlist_course_id', 'section_id'], notes)) return;
  const status = statusOf(row, states, notes);
  if (!status) return;
  const refusal = refusalOf(row, status, facts);
  const section = facts.found.get(cells.section_id ?? '');
  if (refusal || !section) return notes.warn(at, refusal ?? '');
  notes.applied += 1;
  const away = section.nonxlist_course_id;
  if (status === 'deleted') {
    if (away !== null && !facts.options.skip_deletes) moving.push({ section, to: away, home: null });
    return;
  }
  const home = away ?? section.course_id;
  const sis_course_id = cells.xlist_course_id ?? '';
  const target = facts.courseOf.get(sis_course_id);
  if (!target) {
    missing.push({ sis_course_id, uuid: randomText(40), home });
    moving.push({ section, to: sis_course_id, home });
  } else if (target.id !== section.course_id) moving.push({ section, to: target.id, home: target.id === home ? null : home });
}

export const xlistRows: RowKind = {
  cutting: {
    most: 50,
    touches: ({ section_id = '', xlist_course_id = '' }) => ({ makes: [`section:${section_id}`, `course:${xlist_course_id}`] }),
  },
  async apply(work, rows, notes) {
    const { options, id: sis_import_id } = work.it;
    const now = work.now();
    const [there, courses] = await sectionFacts(work, rows, 'xlist_course_id');
    const [found, courseOf] = [by(there, ({ sis_section_id }) => sis_section_id), by(courses, ({ sis_course_id }) => sis_course_id)];
    const drafts: Drafts = { missing: [], moving: [] };
    const { missing, moving } = drafts;
    for (const row of rows) plan(row, { found, courseOf, options }, drafts, notes);

    if (missing.length > 0) {
      // A course that is named only here is created like the section's own course, in a separate step.
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
      if (id !== undefined) await moveSection(work, section, id, home);
    }
    return { statements: [] };
  },
};
