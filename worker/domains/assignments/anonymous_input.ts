// Which assignments can be graded anonymously (reference 03 §1.2).

import { invalid } from '../../http/problem';

interface Anonymity {
  readonly options: Readonly<Record<string, unknown>>;
  readonly submission_types: readonly string[] | undefined;
  readonly group_category_id: number | null | undefined;
}

/** Their students are shown beside what they hand in. */
const namedTypes: readonly string[] = ['discussion_topic', 'online_quiz'];

/**
 * @param after the assignment as changed
 * @param sent the names of the fields that were sent
 * @throws Problem 400 that names what does not go with anonymous grading
 */
export function checkAnonymousGrading({ options, submission_types, group_category_id }: Anonymity, sent: ReadonlySet<string>): void {
  if (options.anonymous_grading !== true) return;
  const named = (field: string) => (sent.has('anonymous_grading') ? 'anonymous_grading' : field);
  if (group_category_id) throw invalid(named('group_category_id'), 'invalid', 'Group assignments cannot be graded anonymously');
  if (submission_types?.some((type) => namedTypes.includes(type)))
    throw invalid(named('submission_types'), 'invalid', 'Discussions and quizzes cannot be graded anonymously');
}
