// The settings of a quiz in a package: `assessment_meta.xml`. Pure.

import { BadXml, firstElement, readXml } from '../xml/read';
import { xml, xmlDocument } from '../xml/write';
import { type AssignmentSettings, readAssignment, writeAssignment } from './assignment';
import { canvasNamespaces, readFields, type ValuesOf, writeFields } from './fields';

const fields = {
  title: 'text',
  description: 'text',
  shuffle_answers: 'bool',
  scoring_policy: 'text',
  hide_results: 'text',
  quiz_type: 'text',
  points_possible: 'number',
  due_at: 'time',
  lock_at: 'time',
  unlock_at: 'time',
  access_code: 'text',
  ip_filter: 'text',
  show_correct_answers: 'bool',
  show_correct_answers_at: 'time',
  hide_correct_answers_at: 'time',
  show_correct_answers_last_attempt: 'bool',
  anonymous_submissions: 'bool',
  /** Whether it is published. */
  available: 'bool',
  /** Minutes. */
  time_limit: 'number',
  /** -1 means unlimited. */
  allowed_attempts: 'number',
  one_question_at_a_time: 'bool',
  cant_go_back: 'bool',
  one_time_results: 'bool',
  only_visible_to_overrides: 'bool',
  assignment_group_identifierref: 'text',
} as const;

/** The description is raw HTML. */
export interface PackagedQuiz extends ValuesOf<typeof fields> {
  readonly identifier: string;
  /** Of a graded quiz. */
  readonly assignment?: AssignmentSettings;
}

export const writeQuizSettings = ({ identifier, assignment, ...values }: PackagedQuiz): string =>
  xmlDocument(
    xml('quiz', { identifier, ...canvasNamespaces }, writeFields(fields, values), assignment ? writeAssignment(assignment) : undefined),
  );

/** @throws BadXml */
export function readQuizSettings(document: string): PackagedQuiz {
  const root = readXml(document);
  if (root.name !== 'quiz') throw new BadXml('The document has no settings of a quiz.');
  const assignment = firstElement(root, 'assignment');
  return {
    identifier: root.attributes.identifier ?? '',
    ...readFields(fields, root),
    ...(assignment ? { assignment: readAssignment(assignment) } : {}),
  };
}
