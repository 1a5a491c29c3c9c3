// The students of a course with their activity and tardiness, sorted by stored keys.

import { CourseStudentSummary } from '@carrel/shared/resources/analytics';
import { type SQL, sql } from 'drizzle-orm';
import { isAnonymousTo } from '../../contexts/anonymous_students';
import type { CourseContext } from '../../contexts/course';
import { inSectionLimit } from '../../contexts/section_limit';
import { shared } from '../../database/shared';
import { withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { type Listing, type Order, type RowOf, rows } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { seesAllGrades } from '../assignments/submissions/policy';
import { enrollments } from '../enrollments/table';
import { studentsSeen } from './policy';
import { levelOf } from './quartiles';
import { handInsOf, publishedIn, readHandIns, tardinessIn } from './student_work';
import { type CourseFigures, course_students } from './table';
import { tardinessCounts, tardinessTotal } from './tardiness';

type Row = RowOf<typeof course_students> & { readonly hand_ins: string };

const nothing = { first: 0, third: 0, max: 0 };

export const studentSummary = serializer({
  resource: CourseStudentSummary,
  table: course_students,
  columns: ({ now, course }) => ({
    hand_ins: handInsOf(sql.raw('course_students.user_id'), shared('course', course?.id ?? 0), now).as('hand_ins'),
  }),
  also: (_, { db, course }) => ({
    published: publishedIn(db, sql`${course?.id ?? 0}`),
    figures: withColumns(
      db.build.all<{ figures: string | null }>(sql`select figures from course_figures where course_id = ${course?.id ?? 0}`),
      ['figures'],
    ),
  }),
  json(row: Row, call, { published, figures }) {
    const { now, course: place } = call;
    const text = figures[0]?.figures;
    const course = text ? (JSON.parse(text) as CourseFigures) : undefined;
    const { page_views: views = nothing, participations = nothing } = course ?? {};
    const isShown = ({ id }: { readonly id: number }) => !isAnonymousTo(call, id, row.user_id);
    const counts = tardinessCounts(tardinessIn(published.filter(isShown), readHandIns(row.hand_ins, seesAllGrades(place)), now));
    // The figures of the course may be older than the row.
    const max_page_views = Math.max(views.max, row.page_views);
    return {
      id: row.user_id,
      page_views: row.page_views,
      max_page_views,
      max_page_view: max_page_views,
      page_views_level: levelOf(row.page_views, views),
      participations: row.participations,
      max_participations: Math.max(participations.max, row.participations),
      participations_level: levelOf(row.participations, participations),
      tardiness_breakdown: { ...counts, total: tardinessTotal(counts) },
    };
  },
});

export const summarySorts = [
  'name',
  'name_descending',
  'score',
  'score_descending',
  'participations',
  'participations_descending',
  'page_views',
  'page_views_descending',
] as const;
type SummarySort = (typeof summarySorts)[number];

const keys = {
  score: course_students.sort_score,
  participations: course_students.participations,
  page_views: course_students.page_views,
};

/** One enrollment per student. */
const isStudent = (course: CourseContext, alias: string): SQL =>
  sql`${sql.raw(`${alias}.type = 'StudentEnrollment' and ${alias}.enrollment_state in ('active', 'completed')`)}${inSectionLimit(course, alias)}`;

interface SummariesWanted {
  readonly sort_column?: SummarySort;
  readonly student_id?: number;
}

export function summaries(
  call: Pick<Call, 'me'> & { course: CourseContext; params: SummariesWanted },
): Listing<RowOf<typeof course_students>> {
  const { course, me, params } = call;
  const { sort_column = 'name', student_id } = params;
  const descending = sort_column.endsWith('_descending');
  const word = sort_column.replace('_descending', '') as keyof typeof keys | 'name';
  // A sort order discloses the value.
  const key = word === 'name' || (word === 'score' && !seesAllGrades(course)) ? undefined : keys[word];
  const here = shared('course', course.id);
  const one = student_id === undefined ? sql`` : sql` and course_students.user_id = ${student_id}`;
  const mine = studentsSeen(course, { me }, sql.raw('course_students.user_id'));
  const seen = mine ? sql` and ${mine}` : sql``;
  const chosen = sql`course_students.course_id = ${here} and course_students.is_student = 1${one}${seen}`;
  const by = (...columns: Order['by'][]): Order[] => columns.map((column) => ({ by: column, descending }));
  if (key && course.sectionLimit === null) return rows(course_students, { where: chosen, order: by(key, course_students.user_id) });
  // A section-restricted caller's students are found by their sections and then sorted.
  const enrolled = sql`enrollments.course_id = ${here} and ${isStudent(course, 'enrollments')}
    and not exists (select 1 from enrollments d where d.user_id = enrollments.user_id and d.course_id = enrollments.course_id and d.id < enrollments.id and ${isStudent(course, 'd')})`;
  const isTheirs = sql`course_students.course_id = enrollments.course_id and course_students.user_id = enrollments.user_id`;
  return rows(course_students, {
    from: enrollments,
    join: (select) => select.innerJoin(course_students, isTheirs),
    where: sql`${enrolled} and ${chosen}`,
    order: key ? by(sql`+${key}`, course_students.user_id) : by(sql`enrollments.sortable_name`, sql`enrollments.id`),
  });
}
