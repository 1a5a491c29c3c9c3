// How quizzes are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, copyOf, notDeletedAs } from '../../rules/copied_kind';
import { quizzes } from './table';

export const quizCopied: CopiedKindFacts = {
  kind: 'quiz',
  table: quizzes,
  asset: 'quiz',
  title: 'title',
  there: (a, course) => sql`${sql.raw(a)}.course_id = ${course} and ${notDeletedAs(a)}`,
  planned: 'o.assignment_id',
  text: 'description',
  kept: ['only_visible_to_overrides', 'version_number'],
  differing: (route) => ({
    course_id: shared('course', route.to),
    assignment_id: copyOf('assignment', sql`o.assignment_id`, route),
    only_visible_to_overrides: sql`0`,
    version_number: sql`1`,
    published_at: sql`case when o.workflow_state = 'available' then ${shared('time', route.now)} end`,
  }),
};
