// Where outcomes belong: the whole institution, an account or a course, and what the caller may do there (reference 04 §12, §13).

import { adminMay, chainOf, runsTheService } from '../../contexts/institution';
import type { Call } from '../../http/call';
import type { outcomeContexts } from './table';

export interface OutcomeContext {
  readonly type: (typeof outcomeContexts)[number];
  /** 0 for the whole institution. */
  readonly id: number;
  /** The accounts whose outcomes are available, root first. */
  readonly chain: readonly number[];
  readonly name: string;
}

/** The context of the path. */
export function outcomeContextOf({ course, account }: Pick<Call, 'course' | 'account'>): OutcomeContext {
  if (course) return { type: 'Course', id: course.id, chain: course.chain, name: course.name };
  if (account) return { type: 'Account', id: account.id, chain: account.chain, name: account.name };
  return { type: 'Global', id: 0, chain: [], name: 'ROOT' };
}

export const outcomePlaces = ['/global', '/accounts/:account_id', '/courses/:course_id'] as const;

interface Placed {
  readonly context_type: OutcomeContext['type'];
  readonly context_id: number;
}

/** The path of a context, without host. */
export const outcomePathOf = ({ context_type, context_id }: Placed): string =>
  context_type === 'Global' ? '/api/v1/global' : `/api/v1/${context_type === 'Course' ? 'courses' : 'accounts'}/${context_id}`;

/** As clients see it: null for the whole institution. */
export const outcomePlaceOf = ({ context_type, context_id }: Placed) =>
  context_type === 'Global' ? { context_type: null, context_id: null } : { context_type, context_id };

/** Whether the caller may change the outcomes and groups of a context. */
export function editsOutcomes(
  { me, institution, course }: Pick<Call, 'me' | 'institution' | 'course'>,
  { context_type, context_id }: Placed,
): boolean {
  if (context_type === 'Global') return runsTheService(me, institution);
  if (context_type === 'Course') return course?.id === context_id && course.canRead && course.can('manage_outcomes');
  return adminMay('manage_outcomes', me, chainOf(context_id, institution), institution);
}

/** Members of the course, administrators of the account; outcomes of the whole institution are for all its users. */
export const readsOutcomes = ({ me, course, account }: Pick<Call, 'me' | 'course' | 'account'>): boolean =>
  course ? course.canRead : account ? account.isAdmin : me.isKnown;

/** Whether the caller manages the outcomes of the path's context. */
export const managesOutcomes = (call: Pick<Call, 'me' | 'institution' | 'course' | 'account'>): boolean => {
  const { type, id } = outcomeContextOf(call);
  return editsOutcomes(call, { context_type: type, context_id: id });
};
