// New Quizzes as clients see them: dates and locks as they apply to the caller, access codes and filters for editors only.

import { NewQuiz } from '@carrel/shared/resources/new_quiz';
import { type SQL, sql } from 'drizzle-orm';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { type EffectiveDates, effectiveDates } from '../../rules/assigned';
import { inCourse, verifiersIn } from '../../rules/file_verifiers';
import { assignments } from '../assignments/table';
import { overridesSeen } from '../assignments/viewpoint';
import { type LockFields, lockFields } from '../modules/lock_fields';
import { moduleLockOf, moduleLocks } from '../modules/locks';
import type { FactsRow } from '../modules/progress/facts';
import { settingsForStudents } from './settings';
import type { NewQuizSettings } from './table';

interface Beside {
  readonly quiz_settings: NewQuizSettings;
  readonly effective_dates: EffectiveDates;
  readonly file_verifiers: string | null;
}

type Row = RowOf<typeof assignments> & Beside;

/** The dates and modules that lock it for the caller; staff are never locked out. */
function lockOf(row: Row, locks: readonly FactsRow[], { course, now }: Call): LockFields {
  if (course?.readsAsAdmin) return { locked_for_user: false };
  const { unlock_at, lock_at } = row.effective_dates;
  return lockFields(
    { asset_string: `assignment_${row.id}`, unlock_at, lock_at, module: moduleLockOf(locks, 'Assignment', row.id, now) },
    now,
  );
}

const parsed = <T>(value: SQL) => value.mapWith((text: string) => JSON.parse(text) as T);

export const newQuiz = serializer({
  resource: NewQuiz,
  table: assignments,
  columns: (call) => ({
    quiz_settings: parsed<NewQuizSettings>(
      sql`(select new_quizzes.quiz_settings from new_quizzes where new_quizzes.id = assignments.id)`,
    ).as('quiz_settings'),
    effective_dates: parsed<EffectiveDates>(effectiveDates(overridesSeen(call), call.now)).as('effective_dates'),
    file_verifiers: verifiersIn(sql.raw('assignments.description'), inCourse(sql.raw('assignments.course_id'))).as('file_verifiers'),
  }),
  also: (ids, call) => ({ locks: moduleLocks('Assignment', ids, call) }),
  json(row: Row, call, { locks }) {
    const lock = lockOf(row, locks, call);
    const { due_at, lock_at, unlock_at } = call.course?.readsAsAdmin ? row : row.effective_dates;
    const isEditor = call.course?.can('manage_assignments_edit') ?? false;
    return {
      id: String(row.id),
      title: row.name,
      instructions: lock.locked_for_user && !lock.lock_info?.can_view ? null : withHost(row.description, call.origin, row.file_verifiers),
      assignment_group_id: String(row.assignment_group_id),
      points_possible: row.points_possible,
      due_at,
      lock_at,
      unlock_at,
      published: row.workflow_state === 'published',
      grading_type: row.grading_type,
      quiz_settings: isEditor ? row.quiz_settings : settingsForStudents(row.quiz_settings),
    };
  },
});
