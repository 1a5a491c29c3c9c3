// What a response about results includes beside them (reference 04 §15.3).

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Call } from '../../../http/call';
import { avatarOf } from '../../users/display';
import { outcomePathOf, outcomePlaceOf } from '../context';
import { outcomeFields } from '../json';
import type { CourseResults, ResultRow } from './read';

type LinkedCall = Pick<Call, 'me' | 'institution' | 'course' | 'params' | 'include' | 'origin'>;

type Assessed = Pick<ResultRow, 'association_type' | 'association_id'>;

const assessedAs = {
  Assignment: { prefix: 'assignment', path: 'assignments' },
  Quiz: { prefix: 'quiz', path: 'quizzes' },
  LiveAssessment: { prefix: 'live_assessment', path: 'live_assessments' },
} as const;

/** `assignment_7` or `quiz_7`, as results and outcomes refer to what was assessed. */
export const alignmentOf = ({ association_type, association_id }: Assessed): string =>
  `${assessedAs[association_type].prefix}_${association_id}`;

/** The assignment of a result, also that of a graded quiz. */
export const assignmentOf = (result: Assessed & Pick<ResultRow, 'quiz_assignment_id'>): string | null => {
  if (result.association_type === 'Assignment') return alignmentOf(result);
  return result.quiz_assignment_id === null ? null : `assignment_${result.quiz_assignment_id}`;
};

const uniqueBy = <T, K>(all: readonly T[], key: (one: T) => K): T[] => [...new Map(all.map((one) => [key(one), one])).values()];

const alignmentsOf = (results: readonly ResultRow[], { course }: Pick<Call, 'course'>) =>
  uniqueBy(results, alignmentOf).map((one) => ({
    id: alignmentOf(one),
    name: one.title,
    html_url: `/courses/${course?.id}/${assessedAs[one.association_type].path}/${one.association_id}`,
  }));

function outcomesOf({ outcomes, results }: CourseResults, call: LinkedCall, withPercents: boolean) {
  const counts = Map.groupBy(results, (result) => result.learning_outcome_id);
  return outcomes.map((row) => {
    const own = counts.get(row.id) ?? [];
    const fields = outcomeFields({ ...row, assessed: own.length > 0 ? 1 : 0 }, call, true);
    const share = (points: number) => Math.round((own.filter(({ score }) => (score ?? -1) >= points).length / own.length) * 100);
    return {
      ...fields,
      ...(call.include.has('outcomes.alignments') && { alignments: [...new Set(own.map(alignmentOf))] }),
      ...(withPercents && own.length > 0 && { ratings: row.ratings.map((rating) => ({ ...rating, percent: share(rating.points) })) }),
    };
  });
}

const groupJson = (group: CourseResults['groups'][number]) => ({
  id: group.id,
  ...outcomePlaceOf(group),
  title: group.title,
  vendor_guid: group.vendor_guid,
  description: group.description,
  url: `${outcomePathOf(group)}/outcome_groups/${group.id}`,
});

/** The names of the groups around each outcome, without the root. */
function pathsOf({ outcomes, groups, links }: CourseResults) {
  const groupOf = new Map(groups.map((group) => [group.id, group]));
  return outcomes.flatMap(({ id, title }) => {
    const link = links.find((one) => one.learning_outcome_id === id);
    if (!link) return [];
    const parts: { name: string }[] = [{ name: title }];
    for (let at = groupOf.get(link.learning_outcome_group_id); at?.parent_outcome_group_id; at = groupOf.get(at.parent_outcome_group_id))
      parts.unshift({ name: at.title });
    return [{ id, parts }];
  });
}

const usersOf = ({ seats }: CourseResults, origin: string) =>
  uniqueBy(seats, (seat) => seat.user_id).map((seat) => ({
    id: String(seat.user_id),
    name: seat.name,
    display_name: seat.short_name,
    sortable_name: seat.sortable_name,
    avatar_url: avatarOf(seat, origin),
  }));

/** The included lists under their names; undefined if nothing is included. @param withPercents shares of results per rating */
export function linkedOf(found: CourseResults, call: LinkedCall, withPercents = false): Record<string, unknown[]> | undefined {
  const { include, course, origin } = call;
  if (include.size === 0) return undefined;
  const wanted: Record<string, () => unknown[]> = {
    outcomes: () => outcomesOf(found, call, withPercents),
    outcome_groups: () => found.groups.map(groupJson),
    outcome_links: () =>
      found.links.map((link) => ({
        ...outcomePlaceOf(link),
        url: `${outcomePathOf(link)}/outcome_groups/${link.learning_outcome_group_id}/outcomes/${link.learning_outcome_id}`,
        outcome_group: { id: link.learning_outcome_group_id },
        outcome: { id: link.learning_outcome_id, title: link.title },
      })),
    outcome_paths: () => pathsOf(found),
    users: () => usersOf(found, origin),
    courses: () => [{ id: String(course?.id), name: course?.name }],
    assignments: () =>
      alignmentsOf(
        found.results.filter((one) => one.association_type === 'Assignment'),
        call,
      ),
    alignments: () => alignmentsOf(found.results, call),
  };
  const names = new Set([...include].map((name) => (name === 'outcomes.alignments' ? 'outcomes' : name)));
  return Object.fromEntries([...names].flatMap((name) => (lookUp(wanted, name) ? [[name, lookUp(wanted, name)?.() ?? []]] : [])));
}
