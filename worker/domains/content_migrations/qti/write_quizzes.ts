// Writes the quizzes and banks of one document, as statements for one batch.

import { type SQL, sql } from 'drizzle-orm';
import type { QtiAssessment, QtiBank, QtiContent, QtiGroup, QtiQuestion } from '../../../cartridge/qti/types';
import type { PackagedQuiz } from '../../../cartridge/settings/quiz';
import type { Database, Statement } from '../../../database/open';
import { makeUnfiledBank, unfiledBank } from '../../question_banks/unfiled';
import { recountQuizzes } from '../../quizzes/counts';
import { isGraded } from '../../quizzes/settings';
import { quizzes } from '../../quizzes/table';
import type { ContentMigrationRow } from '../json';
import { addIssue } from '../work';
import { type PackagedQuestionRow, questionRow, quizAssignment, quizRow } from './quiz_rows';

/** What was imported before, by `kind identifier`, and the questions that the document refers to. */
export interface KnownItems {
  readonly id: (kind: 'quiz' | 'question_bank', identifier: string) => number | undefined;
  readonly question: (identifier: string) => Omit<PackagedQuestionRow, 'identifier'> | undefined;
}

/** Questions in one statement; their text together stays below the limit of a parameter. */
const most = { rows: 100, length: 400_000 };

const newest = (table: 'quizzes' | 'quiz_groups' | 'question_banks' | 'assignments') => sql.raw(`(select max(id) from ${table})`);

interface Placed extends Omit<PackagedQuestionRow, 'identifier'> {
  readonly identifier: string | null;
  readonly position: number;
  readonly root_position: number;
}

function inParts(rows: readonly Placed[]): Placed[][] {
  const parts: Placed[][] = [];
  let length = 0;
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    const last = parts.at(-1);
    if (last && last.length < most.rows && length + size <= most.length) last.push(row);
    else parts.push([row]);
    length = parts.at(-1)?.length === 1 ? size : length + size;
  }
  return parts;
}

export class QuizWriting {
  readonly statements: Statement[] = [];

  constructor(
    private readonly db: Database,
    private readonly it: ContentMigrationRow,
    private readonly known: KnownItems,
    private readonly now: string,
  ) {}

  private run(statement: SQL): void {
    this.statements.push(this.db.build.run(statement));
  }

  private issue(type: 'warning' | 'error', message: string): void {
    this.statements.push(addIssue(this.db, this.it.id, type, message, this.now));
  }

  private remember(kind: string, identifier: string, item: SQL): void {
    const { context_type, context_id, id } = this.it;
    this.run(
      sql`insert or replace into imported_items (context_type, context_id, kind, identifier, item_id, content_migration_id) values (${context_type}, ${context_id}, ${kind}, ${identifier.slice(0, 500)}, ${item}, ${id})`,
    );
  }

  /**
   * Inserts questions in their order, and remembers them.
   * @param place.of the identifier of the quiz: identifiers of its questions may occur in other quizzes
   */
  private questions(rows: readonly Placed[], place: { quiz?: SQL; group?: SQL; bank?: SQL; of?: string }): void {
    const { context_type, context_id, id } = this.it;
    for (const part of inParts(rows)) {
      this.run(
        sql`insert into quiz_questions (course_id, quiz_id, question_bank_id, quiz_group_id, position, root_position, question_name, question_type, question_text, points_possible, data, workflow_state, created_at, updated_at)
          select ${place.quiz ? context_id : null}, ${place.quiz ?? null}, ${place.bank ?? null}, ${place.group ?? null}, v.value ->> '$.position', v.value ->> '$.root_position', v.value ->> '$.question_name', v.value ->> '$.question_type',
            v.value ->> '$.question_text', v.value ->> '$.points_possible', json_extract(v.value, '$.data'), 'active', ${this.now}, ${this.now} from json_each(${JSON.stringify(part)}) v order by v.key`,
      );
      this.run(
        sql`insert or replace into imported_items (context_type, context_id, kind, identifier, item_id, content_migration_id)
          select ${context_type}, ${context_id}, 'quiz_question', v.value ->> '$.identifier', (select max(id) from quiz_questions) - ${part.length - 1} + v.key, ${id} from json_each(${JSON.stringify(part.map(({ identifier }) => ({ identifier: identifier && place.of ? `${place.of}/${identifier}`.slice(0, 500) : identifier })))}) v where v.value ->> '$.identifier' is not null`,
      );
    }
  }

  private inBank(questions: readonly QtiQuestion[], bank: SQL): void {
    const rows = questions.map((one, at) => ({ ...questionRow(one), position: at + 1, root_position: at + 1 }));
    this.questions(rows, { bank });
  }

  private bank({ identifier, title, questions }: QtiBank): void {
    const { context_id, settings } = this.it;
    const before = settings.overwrite_quizzes ? this.known.id('question_bank', identifier) : undefined;
    if (before === undefined)
      this.run(
        sql`insert into question_banks (context_type, context_id, title, workflow_state, created_at, updated_at) values ('Course', ${context_id}, ${title.slice(0, 255)}, 'active', ${this.now}, ${this.now})`,
      );
    else
      this.run(
        sql`update quiz_questions set workflow_state = 'deleted', updated_at = ${this.now} where question_bank_id = ${before} and workflow_state = 'active'`,
      );
    const bank = before === undefined ? newest('question_banks') : sql`${before}`;
    this.remember('question_bank', identifier, bank);
    this.inBank(questions, bank);
  }

  /** Questions outside of quizzes and banks go into the bank that the request names, else into the one for such questions. */
  private loose(questions: readonly QtiQuestion[]): void {
    if (questions.length === 0) return;
    const { context_id, settings } = this.it;
    const { question_bank_id: id, question_bank_name: name } = settings;
    const named = sql`(select min(b.id) from question_banks b where b.context_type = 'Course' and b.context_id = ${context_id} and b.workflow_state = 'active' and b.title = ${name ?? ''})`;
    if (id === undefined && name === undefined) this.statements.push(makeUnfiledBank(this.db, context_id, this.now));
    else if (id === undefined)
      this.run(
        sql`insert into question_banks (context_type, context_id, title, workflow_state, created_at, updated_at) select 'Course', ${context_id}, ${name}, 'active', ${this.now}, ${this.now} where ${named} is null`,
      );
    this.inBank(questions, id !== undefined ? sql`${id}` : name === undefined ? unfiledBank(context_id) : named);
  }

  private group(group: QtiGroup, quiz: SQL, position: number, of: string): void {
    const bank = group.bank && this.known.id('question_bank', group.bank.identifier);
    if (group.bank && bank === undefined)
      this.issue('warning', `The questions of the group ${group.name} are drawn from a question bank that the package does not have.`);
    this.run(
      sql`insert into quiz_groups (quiz_id, course_id, name, pick_count, question_points, question_bank_id, position, workflow_state, created_at, updated_at)
        values (${quiz}, ${this.it.context_id}, ${group.name.slice(0, 255)}, ${Math.max(1, group.pick_count)}, ${group.question_points}, ${bank ?? null}, ${position}, 'active', ${this.now}, ${this.now})`,
    );
    this.remember('quiz_group', `${of}/${group.identifier}`, newest('quiz_groups'));
    if (bank !== undefined) return;
    const rows = group.questions.map((one, at) => ({ ...questionRow(one), position: at + 1, root_position: position }));
    this.questions(rows, { quiz, group: newest('quiz_groups'), of });
  }

  private entries({ identifier: of, title, entries }: QtiAssessment, quiz: SQL): void {
    const rows: Placed[] = [];
    for (const [at, entry] of entries.entries()) {
      const place = { position: at + 1, root_position: at + 1 };
      if ('group' in entry) this.group(entry.group, quiz, at + 1, of);
      else if ('question' in entry) rows.push({ ...questionRow(entry.question), ...place });
      else {
        const referred = this.known.question(entry.reference);
        if (referred) rows.push({ ...referred, ...place, identifier: null });
        else this.issue('warning', `A question of the quiz ${title} is in a question bank that the package does not have.`);
      }
    }
    this.questions(rows, { quiz, of });
  }

  /** The settings of its assignment that are not those of the quiz. */
  private assignmentOf(quiz: string, { assignment, assignment_group_identifierref: group }: PackagedQuiz): void {
    const { context_type, context_id } = this.it;
    this.remember('assignment', assignment?.identifier || `${quiz}/assignment`, newest('assignments'));
    const { grading_type, options } = quizAssignment(assignment);
    const known = assignment?.assignment_group_identifierref ?? group ?? '';
    const listed = (kind: string, identifier: string) =>
      sql`(select i.item_id from imported_items i where i.context_type = ${context_type} and i.context_id = ${context_id} and i.kind = ${kind} and i.identifier = ${identifier})`;
    this.run(
      sql`update assignments set assignment_group_id = coalesce(${listed('assignment_group', known)}, assignment_group_id), position = coalesce(${assignment?.position ?? null}, position),
        grading_type = ${grading_type}, options = json_patch(options, ${JSON.stringify(options)}), omit_from_final_grade = ${assignment?.omit_from_final_grade ? 1 : 0}, own_post_manually = ${assignment?.post_manually === undefined ? null : Number(assignment.post_manually)} where id = ${newest('assignments')}`,
    );
  }

  private quiz(given: QtiAssessment, packaged: PackagedQuiz | undefined): void {
    const { context_id, settings: wanted } = this.it;
    const { settings, title, description, due_at, unlock_at, lock_at, isPublished, issues } = quizRow(given, packaged);
    for (const { type, message } of issues) this.issue(type, message);
    const before = wanted.overwrite_quizzes ? this.known.id('quiz', given.identifier) : undefined;
    const now = this.now;
    const graded = isGraded(settings.quiz_type);
    const group = sql`(select g.id from assignment_groups g where g.course_id = ${context_id} and g.workflow_state = 'available' order by g.position, g.id limit 1)`;
    if (graded) {
      this.run(
        sql`insert into assignment_groups (course_id, name, position, group_weight, rules, workflow_state, created_at, updated_at) select ${context_id}, 'Assignments', 1, 0, '{}', 'available', ${now}, ${now} where ${group} is null`,
      );
      this.run(
        sql`insert into assignments (course_id, assignment_group_id, name, description, position, points_possible, submission_types, due_at, unlock_at, lock_at, lti_context_id, workflow_state, created_at, updated_at)
          values (${context_id}, ${group}, ${title}, ${description}, coalesce((select max(a.position) from assignments a where a.assignment_group_id = ${group} and a.workflow_state <> 'deleted'), 0) + 1, 0, '["online_quiz"]', ${due_at}, ${unlock_at}, ${lock_at}, lower(hex(randomblob(20))), ${isPublished ? 'published' : 'unpublished'}, ${now}, ${now})`,
      );
    }
    this.statements.push(
      this.db.build.insert(quizzes).values({
        ...settings,
        course_id: context_id,
        title,
        description,
        due_at,
        unlock_at,
        lock_at,
        assignment_id: graded ? newest('assignments') : null,
        points_possible: packaged?.points_possible ?? 0,
        workflow_state: isPublished ? 'available' : 'unpublished',
        published_at: isPublished ? now : null,
        created_at: now,
        updated_at: now,
      }),
    );
    const quiz = newest('quizzes');
    if (before !== undefined) this.replace(before, quiz);
    if (graded) this.assignmentOf(given.identifier, packaged ?? { identifier: given.identifier });
    this.remember('quiz', given.identifier, quiz);
    this.entries(given, quiz);
    this.statements.push(...recountQuizzes(this.db, quiz, now));
  }

  /** The new quiz takes the place of the one with the same identifier, also in modules. Attempts stay with the old one. */
  private replace(before: number, quiz: SQL): void {
    const now = this.now;
    this.run(
      sql`update module_items set content_id = ${quiz}, updated_at = ${now} where type = 'Quiz' and content_id = ${before} and workflow_state = 'active'`,
    );
    this.run(sql`update quizzes set workflow_state = 'deleted', updated_at = ${now} where id = ${before}`);
    this.run(
      sql`update assignments set workflow_state = 'deleted', updated_at = ${now} where id = (select assignment_id from quizzes where id = ${before}) and workflow_state <> 'deleted'`,
    );
  }

  /** Banks first: quizzes refer to them. */
  write({ assessments, banks, questions, issues }: QtiContent, packaged: PackagedQuiz | undefined): readonly Statement[] {
    for (const { type, message } of issues) this.issue(type, message);
    for (const bank of banks) this.bank(bank);
    this.loose(questions);
    for (const quiz of assessments) this.quiz(quiz, assessments.length === 1 ? packaged : undefined);
    return this.statements;
  }
}
