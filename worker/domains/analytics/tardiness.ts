// Whether students have handed in on time (reference 03 §16). Pure.

import { lateness, type Timed } from '../assignments/submissions/lateness';

export const tardinessWords = ['on_time', 'late', 'missing', 'floating'] as const;
export type Tardiness = (typeof tardinessWords)[number];
export type TardinessCounts = Readonly<Record<Tardiness, number>>;

export interface HandIn extends Timed {
  readonly graded_at: string | null;
}

/** A slot without a row. */
export const blankHandIn: HandIn = {
  submission_type: null,
  submitted_at: null,
  excused: false,
  late_policy_status: null,
  seconds_late_override: null,
  grader_id: null,
  graded_at: null,
};

const onPaper = new Set(['', 'none', 'on_paper', 'not_graded', 'wiki_page']);

/** Whether students hand in anything through the service, a tool included. */
export const isDigital = (types: readonly string[]): boolean => types.some((type) => !onPaper.has(type));

/** @param due_at the student's effective due date */
export function tardinessOf(work: HandIn, due_at: string | null, types: readonly string[], now: string): Tardiness {
  if (work.excused) return 'floating';
  // A grader's decision wins over the dates.
  if (work.late_policy_status === 'missing' || work.late_policy_status === 'late') return work.late_policy_status;
  if (work.submitted_at !== null) return lateness(work, { due_at, submission_types: types }, now).late ? 'late' : 'on_time';
  if (work.graded_at !== null && (due_at === null || work.graded_at <= due_at)) return 'on_time';
  if (work.late_policy_status !== null || !isDigital(types)) return work.graded_at === null ? 'floating' : 'on_time';
  return due_at !== null && due_at < now ? 'missing' : 'floating';
}

export function tardinessCounts(all: readonly Tardiness[]): TardinessCounts {
  const count = (word: Tardiness) => all.filter((one) => one === word).length;
  return { on_time: count('on_time'), late: count('late'), missing: count('missing'), floating: count('floating') };
}

export const tardinessTotal = (counts: TardinessCounts): number => tardinessWords.reduce((sum, word) => sum + counts[word], 0);

/** As shares of the total; all 0 without students. */
export function tardinessShares(counts: TardinessCounts): TardinessCounts & { readonly total: number } {
  const total = tardinessTotal(counts);
  const share = (word: Tardiness) => (total === 0 ? 0 : counts[word] / total);
  return { on_time: share('on_time'), late: share('late'), missing: share('missing'), floating: share('floating'), total };
}
