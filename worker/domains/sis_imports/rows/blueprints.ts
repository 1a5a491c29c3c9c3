// The blueprint of a course, as courses.csv states it: the blueprint's SIS id, or `dissociate`.

import { sql } from 'drizzle-orm';
import { inTexts } from '../../../database/many_rows';
import type { Database, Statement } from '../../../database/open';
import { type ParsedRow, valuesIn } from '../row_rules';
import type { Notes } from '../work';

const away = 'dissociate';

interface Known {
  readonly sis: string;
  /** The row's own blueprint id, or the associated one; absent for a course already read through its blueprint. */
  readonly blueprint: string | null;
}

/** Reads the blueprints named in the rows, and the current ones of their courses. */
export const selectBlueprints = ({ build }: Database, rows: readonly ParsedRow[]) =>
  build.all<Known>(
    sql`select c.sis_course_id as sis, null as blueprint from courses c join blueprint_templates t on t.course_id = c.id and t.workflow_state = 'active'
        where c.workflow_state <> 'deleted' and ${inTexts('c.sis_course_id', valuesIn(rows, 'blueprint_course_id'))}
      union all select c.sis_course_id, coalesce(b.sis_course_id, '') from courses c join blueprint_subscriptions s on s.course_id = c.id and s.workflow_state = 'active'
        join blueprint_templates t on t.id = s.template_id join courses b on b.id = t.course_id where ${inTexts('c.sis_course_id', valuesIn(rows, 'course_id'))}`,
  );

/** Resolves a row, and records errors. @returns the course and its new blueprint */
export function followingOf(
  { at, cells }: ParsedRow,
  known: readonly Known[],
  notes: Notes,
): readonly [course: string, blueprint: string] | undefined {
  const { course_id: course = '', blueprint_course_id: wanted } = cells;
  if (!wanted) return undefined;
  if (wanted.toLowerCase() === away) return [course, away];
  const followed = known.find(({ sis, blueprint }) => blueprint !== null && sis === course)?.blueprint;
  if (followed === wanted) return undefined;
  const says = (why: string) => notes.warn(at, `the course is not associated with the blueprint "${wanted}": ${why}`);
  if (!known.some(({ sis, blueprint }) => blueprint === null && sis === wanted)) return says('the blueprint does not exist');
  if (followed !== undefined) return says(`it is already associated with "${followed}"`);
  return [course, wanted];
}

/** Statements that set the associations; run them after the courses have been written. */
export function followStatements({ build }: Database, pairs: readonly (readonly [string, string])[], now: string): Statement[] {
  if (pairs.length === 0) return [];
  const named = sql`json_each(${JSON.stringify(pairs)}) j join courses c on c.sis_course_id = j.value ->> 0`;
  return [
    build.run(
      sql`update blueprint_subscriptions set workflow_state = 'deleted', updated_at = ${now} where workflow_state = 'active'
        and course_id in (select c.id from ${named} where j.value ->> 1 = ${away})`,
    ),
    build.run(
      sql`insert into blueprint_subscriptions (template_id, course_id, created_at, updated_at) select t.id, c.id, ${now}, ${now} from ${named}
        join courses b on b.sis_course_id = j.value ->> 1 join blueprint_templates t on t.course_id = b.id and t.workflow_state = 'active'
        where c.is_blueprint = 0 and c.workflow_state <> 'deleted' and not exists (select 1 from blueprint_subscriptions s where s.course_id = c.id and s.workflow_state = 'active')`,
    ),
  ];
}
