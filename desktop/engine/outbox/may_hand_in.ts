// Whether work may be handed in now, according to the latest data and the clock of the server. Pure.

import type { Hold, WorkType } from '../../contract/work';
import type { AssignmentJson, SubmissionJson } from '../model/resources';

export const workTypes: readonly WorkType[] = ['online_text_entry', 'online_url', 'online_upload'];

/** The submission types that the desk supports for it. */
export const workTypesOf = ({ submission_types = [] }: Pick<AssignmentJson, 'submission_types'>): WorkType[] =>
  workTypes.filter((type) => submission_types.includes(type));

/** The number of attempts; null: unlimited. */
export function attemptsAllowed({ allowed_attempts = -1 }: AssignmentJson, submission: SubmissionJson | undefined): number | null {
  return allowed_attempts < 0 ? null : allowed_attempts + (submission?.extra_attempts ?? 0);
}

/** @returns the reason why it has to wait; null: none */
export function holdOn(
  assignment: AssignmentJson | undefined,
  submission: SubmissionJson | undefined,
  given: { readonly type?: WorkType; readonly known_attempt?: number } = {},
): Hold | null {
  if (!assignment) return 'gone';
  const { locked_for_user, lock_info } = assignment;
  if (locked_for_user)
    return lock_info?.context_module ? 'locked' : lock_info?.unlock_at ? 'not yet' : lock_info?.lock_at ? 'closed' : 'locked';
  if (given.type && !workTypesOf(assignment).includes(given.type)) return 'other kind';
  const made = submission?.attempt ?? 0;
  const allowed = attemptsAllowed(assignment, submission);
  if (allowed !== null && made >= allowed) return 'attempts used';
  return made > (given.known_attempt ?? made) ? 'newer attempt' : null;
}

const words: Readonly<Record<Hold, string>> = {
  gone: 'the assignment was deleted',
  'not yet': 'the assignment is not open yet',
  closed: 'the assignment is closed',
  locked: 'the assignment is locked',
  'other kind': 'the assignment no longer accepts work of this type',
  'attempts used': 'no attempts are left',
  'newer attempt': 'a newer attempt was handed in on another device',
  'graded meanwhile': 'someone else has graded it meanwhile',
  'changed meanwhile': 'someone else has changed the text meanwhile',
  'no bytes': 'a file of the submission is no longer on this computer',
  declined: 'the server refused it',
  trouble: 'the server failed',
  unsure: 'the connection was lost: the server may have received it',
};

/** It is not sent before the user confirms it. */
export class HeldSubmission extends Error {
  override readonly name = 'Held';
  constructor(readonly hold: Hold) {
    super(words[hold]);
  }
}

/** The bare extension, as the assignment lists them. */
export const isAllowedName = ({ allowed_extensions = [] }: AssignmentJson, name: string): boolean =>
  allowed_extensions.length === 0 || allowed_extensions.includes(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
