// Quizzes and question banks of a QTI export, read some at a time.

import { sql } from 'drizzle-orm';
import type { ManifestResource, PackageFile } from '../../cartridge/manifest';
import { bankExport, quizExport } from '../../cartridge/qti/package';
import { among } from '../../database/ids';
import type { Database } from '../../database/open';
import { assignments } from '../assignments/table';
import { question_banks } from '../question_banks/table';
import { quiz_groups } from '../quiz_groups/table';
import { quiz_questions } from '../quiz_questions/table';
import { quizzes } from '../quizzes/table';
import { packagedAssessment, packagedBank, packagedSettings } from './packaged_quiz';
import type { ExportSelection } from './table';

export interface PackagePart {
  readonly files: readonly PackageFile[];
  readonly resources: readonly ManifestResource[];
}

export interface ExportedCourse {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
}

export const courseToExport = ({ build }: Database, id: number) =>
  build.all<ExportedCourse>(sql`select c.id, c.uuid, c.name from courses c where c.id = ${id} and c.workflow_state <> 'deleted'`);

/** The quizzes of the selection. */
export const quizIds = ({ build }: Database, course_id: number, { quizzes: chosen }: ExportSelection) =>
  build.all<{ id: number }>(
    sql`select q.id from quizzes q where q.course_id = ${course_id} and q.workflow_state <> 'deleted'
      ${chosen ? sql`and q.id in (select value from json_each(${JSON.stringify(chosen)}))` : sql``} order by q.sort_lock, q.sort_title, q.same_id`,
  );

/** The banks of the course; with a selection, those from which its quizzes draw. */
export const bankIds = ({ build }: Database, course_id: number, { quizzes: chosen }: ExportSelection) =>
  build.all<{ id: number }>(
    sql`select b.id from question_banks b where b.context_type = 'Course' and b.context_id = ${course_id} and b.workflow_state = 'active'
      ${chosen ? sql`and b.id in (select g.question_bank_id from quiz_groups g where g.quiz_id in (select value from json_each(${JSON.stringify(chosen)})) and g.workflow_state = 'active')` : sql``} order by b.id`,
  );

const present = sql`quiz_questions.workflow_state = 'active' and quiz_questions.quiz_id is not null`;
const presentInBank = sql`quiz_questions.workflow_state = 'active' and quiz_questions.question_bank_id is not null`;

/** The files of a quiz or bank, and their resources. */
type QuizFiles = (...given: Parameters<typeof quizExport>) => PackagePart | Promise<PackagePart>;
type BankFiles = (...given: Parameters<typeof bankExport>) => PackagePart | Promise<PackagePart>;

/**
 * Those of the ids that the course still has, in their order.
 * @param filesOf the files of a quiz, which differ between exports of quizzes and of courses
 */
export async function quizParts(
  db: Database,
  course: ExportedCourse,
  ids: readonly number[],
  filesOf: QuizFiles = quizExport,
): Promise<PackagePart[]> {
  const { build } = db;
  const [rows, groups, questions, graded, banks] = await db.perform([
    build
      .select()
      .from(quizzes)
      .where(sql`${among(quizzes.id, ids)} and quizzes.course_id = ${course.id} and quizzes.workflow_state <> 'deleted'`),
    build
      .select()
      .from(quiz_groups)
      .where(sql`${among(quiz_groups.quiz_id, ids)} and quiz_groups.workflow_state = 'active'`),
    build
      .select()
      .from(quiz_questions)
      .where(sql`${among(quiz_questions.quiz_id, ids)} and ${present}`)
      .orderBy(quiz_questions.root_position, quiz_questions.position, quiz_questions.id),
    build
      .select()
      .from(assignments)
      .where(sql`${assignments.id} in (select q.assignment_id from quizzes q where ${among(sql`q.id`, ids)})`),
    build
      .select()
      .from(question_banks)
      .where(sql`${question_banks.id} in (select g.question_bank_id from quiz_groups g where ${among(sql`g.quiz_id`, ids)})`),
  ]);
  const parts: PackagePart[] = [];
  for (const id of ids) {
    const quiz = rows.find((one) => one.id === id);
    if (!quiz) continue;
    const its = <R extends { readonly quiz_id: number | null }>(all: readonly R[]) => all.filter(({ quiz_id }) => quiz_id === id);
    const assignment = graded.find((one) => one.id === quiz.assignment_id);
    const assessment = packagedAssessment(course.uuid, quiz, its(groups), its(questions), banks);
    parts.push(await filesOf(assessment, packagedSettings(course.uuid, quiz, assignment)));
  }
  return parts;
}

/** Banks without questions are left out. */
export async function bankParts(
  db: Database,
  course: ExportedCourse,
  ids: readonly number[],
  filesOf: BankFiles = bankExport,
): Promise<PackagePart[]> {
  const { build } = db;
  const [banks, questions] = await db.perform([
    build
      .select()
      .from(question_banks)
      .where(
        sql`${among(question_banks.id, ids)} and question_banks.context_type = 'Course' and question_banks.context_id = ${course.id} and question_banks.workflow_state = 'active'`,
      ),
    build
      .select()
      .from(quiz_questions)
      .where(sql`${among(quiz_questions.question_bank_id, ids)} and ${presentInBank}`)
      .orderBy(quiz_questions.position, quiz_questions.id),
  ]);
  const parts: PackagePart[] = [];
  for (const id of ids) {
    const bank = banks.find((one) => one.id === id);
    const its = questions.filter(({ question_bank_id }) => question_bank_id === id);
    if (bank && its.length > 0) parts.push(await filesOf(packagedBank(course.uuid, bank, its)));
  }
  return parts;
}
