// What a response about results includes beside them (reference 04 §15.3).

import { ratingReached } from '@carrel/shared/grading/outcome_scores';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { Call } from '../../../http/call';
import { avatarOf } from '../../users/display';
import { outcomePathOf, outcomePlaceOf } from '../context';
import { outcomeFields, shortGroup } from '../json';
import type { CourseResults, OutcomeOfCourse, ResultRow } from './read';
import type { StudentScores } from './rollups';

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

/** The percentage of students for whom each rating is the highest that their score reaches. */
function percentsOf({ id, ratings }: OutcomeOfCourse, scores: StudentScores): number[] | undefined {
  const reached = [...scores.values()].flatMap((own) => {
    const score = own.get(id)?.score;
    return score === null || score === undefined ? [] : [ratingReached(score, ratings)];
  });
  if (reached.length === 0) return undefined;
  return ratings.map((_, at) => Math.round((reached.filter((one) => one === at).length / reached.length) * 100));
}

function outcomesOf({ outcomes, results }: CourseResults, call: LinkedCall, scores: StudentScores | undefined) {
  const counts = Map.groupBy(results, (result) => result.learning_outcome_id);
  return outcomes.map((row) => {
    const own = counts.get(row.id) ?? [];
    const fields = outcomeFields({ ...row, assessed: own.length > 0 ? 1 : 0 }, call, true);
    const percents = scores && percentsOf(row, scores);
    return {
      ...fields,
      ...(call.include.has('outcomes.alignments') && { alignments: [...new Set(own.map(alignmentOf))] }),
      ...(percents && { ratings: row.ratings.map((rating, at) => ({ ...rating, percent: percents[at] })) }),
    };
  });
}

/** In full form. */
function groupsOf({ groups }: CourseResults, call: LinkedCall) {
  const groupOf = new Map(groups.map((group) => [group.id, group]));
  return groups.map((group) => {
    const short = shortGroup(group, call);
    const parent = group.parent_outcome_group_id === null ? undefined : groupOf.get(group.parent_outcome_group_id);
    return {
      ...short,
      ...outcomePlaceOf(group),
      description: group.description,
      import_url: `${short.url}/import`,
      ...(parent && { parent_outcome_group: shortGroup(parent, call) }),
    };
  });
}

/** With group and outcome in abbreviated form; without links to outcomes that the request leaves out. */
function linksOf({ groups, links, outcomes, results }: CourseResults, call: LinkedCall) {
  const groupOf = new Map(groups.map((group) => [group.id, group]));
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const assessed = new Set(results.map((result) => result.learning_outcome_id));
  return links.flatMap((link) => {
    const [group, outcome] = [groupOf.get(link.learning_outcome_group_id), outcomeOf.get(link.learning_outcome_id)];
    if (!group || !outcome) return [];
    return [
      {
        ...outcomePlaceOf(link),
        url: `${outcomePathOf(link)}/outcome_groups/${group.id}/outcomes/${outcome.id}`,
        outcome_group: shortGroup(group, call),
        outcome: outcomeFields(outcome, call, false),
        assessed: assessed.has(outcome.id),
      },
    ];
  });
}

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

/** The included lists under their names; undefined if nothing is included. @param scores for the percentages of ratings, if they are wanted */
export function linkedOf(found: CourseResults, call: LinkedCall, scores?: StudentScores): Record<string, unknown[]> | undefined {
  const { include, course, origin } = call;
  if (include.size === 0) return undefined;
  const wanted: Record<string, () => unknown[]> = {
    outcomes: () => outcomesOf(found, call, scores),
    outcome_groups: () => groupsOf(found, call),
    outcome_links: () => linksOf(found, call),
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
