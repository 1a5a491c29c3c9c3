// More time, more attempts or fewer choices for single students, in one New Quiz or all of a course (reference 04 §10.3).

import { NewQuizAccommodationResult, NewQuizAccommodationShown } from '@carrel/shared/resources/new_quiz';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Call } from '../../../http/call';
import { absolute, get, post } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, problem } from '../../../http/problem';
import { answer, judged, list, type Reply, write } from '../../../http/reply';
import { isNewQuiz } from '../../../rules/new_quizzes';
import { presentAssignments } from '../../assignments/policy';
import { assignments } from '../../assignments/table';
import { isStudentHere } from '../../peer_reviews/policy';
import { newQuizIn, presentNewQuiz } from '../policy';
import { new_quiz_accommodations } from '../table';
import { readAccommodations, refusalOfAccommodation } from './input';
import { newQuizAccommodation } from './json';
import { extendRunningSessions, runningSessions } from './running';

export const about = { title: 'New Quiz accommodations', description: 'More time or attempts in New Quizzes for single students.' };

const course = '/api/quiz/v1/courses/:course_id';
const shown = '/courses/:course_id/assignments/:assignment_id/accommodations';

type Around = Pick<Call, 'db' | 'now' | 'array'> & { readonly course: CourseContext };
type Path = { readonly assignment_id: string };

/**
 * Stores the accommodations of the students, each in place of an earlier one.
 * @param quiz a select of the New Quiz; none for all of the course
 * @throws Problem 400 for anything but a list with users, 404 for an unknown quiz
 */
async function accommodate({ db, course, array, now }: Around, quiz: SQL | undefined): Promise<Reply> {
  const given = readAccommodations(array);
  const asked = JSON.stringify([...new Set(given.map(({ user_id }) => user_id))]);
  const [quizzes, students, sessions] = await db.perform([
    db.build.all<{ id: number }>(sql`select assignments.id as id from assignments where ${quiz ?? sql`0`}`),
    db.build.all<{ id: number }>(
      sql`select j.value as id from json_each(${asked}) j where ${isStudentHere({ course }, sql.raw('j.value'))}`,
    ),
    runningSessions(db, course.id, quiz, asked),
  ]);
  const new_quiz_id = quiz ? found(quizzes[0]).id : 0;
  const known = new Set(students.map(({ id }) => id));
  const judgedOnes = given.map((one) => ({ one, error: refusalOfAccommodation(one, known) }));
  const made = new Map(judgedOnes.flatMap(({ one, error }) => (error === undefined ? [[one.user_id, one] as const] : [])));
  const values = JSON.stringify(
    [...made.values()].map((one) => [one.user_id, one.extra_time ?? 0, one.extra_attempts ?? 0, one.reduce_choices_enabled ? 1 : 0]),
  );
  const extraTime = new Map(
    [...made.values()].flatMap((one) =>
      quiz || one.apply_to_in_progress_quiz_sessions ? [[one.user_id, one.extra_time ?? 0] as const] : [],
    ),
  );
  return write(
    [
      db.build.run(sql`insert into new_quiz_accommodations (course_id, new_quiz_id, user_id, extra_time, extra_attempts, reduce_choices_enabled, created_at, updated_at)
        select ${course.id}, ${new_quiz_id}, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, ${now}, ${now} from json_each(${values}) j where true
        on conflict (course_id, user_id, new_quiz_id) do update set extra_time = excluded.extra_time, extra_attempts = excluded.extra_attempts,
          reduce_choices_enabled = excluded.reduce_choices_enabled, updated_at = excluded.updated_at`),
      ...extendRunningSessions({ db, now }, sessions, extraTime),
    ],
    answer({
      message: 'Accommodations processed',
      successful: [...made.keys()].map((user_id) => ({ user_id })),
      failed: judgedOnes.flatMap(({ one, error }) => (error === undefined ? [] : [{ user_id: one.user_id, error }])),
    }),
  );
}

/** Those of the quiz, and those of the course for students who have none there. */
const countingIn = (course: CourseContext, path: Path): SQL | undefined =>
  and(
    eq(new_quiz_accommodations.course_id, course.id),
    sql`new_quiz_accommodations.new_quiz_id in (0, (${newQuizIn(path)}))`,
    sql`not (new_quiz_accommodations.new_quiz_id = 0 and exists (select 1 from new_quiz_accommodations own
      where own.course_id = new_quiz_accommodations.course_id and own.new_quiz_id = (${newQuizIn(path)}) and own.user_id = new_quiz_accommodations.user_id))`,
    isStudentHere({ course }, sql.raw('new_quiz_accommodations.user_id')),
  );

type Reading = Pick<Call, 'db'> & { readonly course: CourseContext; readonly path: Path };

const selectAssignment = ({ db, course, path }: Reading) =>
  db.build
    .select({ is_new_quiz: isNewQuiz.as('is_new_quiz') })
    .from(assignments)
    .where(and(sql`assignments.id = (${newQuizIn(path)})`, eq(assignments.course_id, course.id), presentAssignments));

/** @throws Problem 404 for an unknown assignment, 422 for one that is no New Quiz */
function checkIsNewQuiz(there: readonly { readonly is_new_quiz: number }[]): void {
  if (found(there[0]).is_new_quiz !== 1) throw problem(422, 'The assignment is not a New Quiz');
}

export const newQuizAccommodationRoutes = [
  ...absolute(
    post(
      `${course}/accommodations`,
      {
        can: 'manage_grades',
        takesArray: true,
        returns: { json: NewQuizAccommodationResult },
        summary: 'Set accommodations for all New Quizzes',
      },
      (call) => accommodate(call, undefined),
    ),
    post(
      `${course}/quizzes/:assignment_id/accommodations`,
      {
        can: 'manage_grades',
        takesArray: true,
        returns: { json: NewQuizAccommodationResult },
        summary: 'Set accommodations for a New Quiz',
      },
      (call) => accommodate(call, presentNewQuiz(call.course, call.path)),
    ),
  ),

  get(
    shown,
    {
      can: ['manage_grades', 'view_all_grades'],
      returns: { wrapped: 'accommodations', of: newQuizAccommodation },
      summary: 'List the accommodations of a New Quiz',
    },
    (call) =>
      judged(
        selectAssignment(call),
        checkIsNewQuiz,
        list(
          rows(new_quiz_accommodations, {
            where: countingIn(call.course, call.path),
            order: ascending(new_quiz_accommodations.user_id),
          }),
        ),
      ),
  ),

  get(
    `${shown}/:user_id`,
    {
      can: ['manage_grades', 'view_all_grades'],
      returns: { json: NewQuizAccommodationShown },
      summary: 'Get the accommodation of a student in a New Quiz',
    },
    async (call) => {
      const { db, user } = call;
      const [there, mine] = await db.perform([
        selectAssignment(call),
        db.build
          .select({
            user_id: new_quiz_accommodations.user_id,
            extra_time: new_quiz_accommodations.extra_time,
            extra_attempts: new_quiz_accommodations.extra_attempts,
            reduce_choices_enabled: new_quiz_accommodations.reduce_choices_enabled,
          })
          .from(new_quiz_accommodations)
          .where(and(countingIn(call.course, call.path), eq(new_quiz_accommodations.user_id, user.id))),
      ]);
      checkIsNewQuiz(there);
      return answer({ accommodation: found(mine[0]) });
    },
  ),
];
