// Request bodies with one foreign id and otherwise valid values, as far as the declared fields tell.

import type { Fields, IdKind } from '@carrel/shared/wire/fields';
import { calendarChanges } from '@carrel/worker/domains/account_calendars/routes';
import { bulkDates } from '@carrel/worker/domains/assignments/dates/bulk';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { titleOf } from './every_endpoint';
import type { FullScene } from './full_scene';
import { bodiesOf, type Dice } from './garbage';
import { knownIn } from './hostile';
import { anyKey, inList, type Param, paramsOf } from './id_params';

export type Value = string | number;
export type ForeignValues = Partial<Record<IdKind, readonly Value[]>>;

/** Bodies of endpoints that parse a list themselves. */
const lists: Readonly<Record<string, Fields>> = {
  'PUT /courses/:course_id/assignments/bulk_update': bulkDates,
  'PUT /accounts/:account_id/account_calendars': calendarChanges,
};

export const fieldsOf = (endpoint: Endpoint) => lists[titleOf(endpoint)] ?? endpoint.options.params ?? {};

/** What a user outside the scene may not read of it. */
export const everythingIn = ({ ids, branch, course, student, created }: FullScene): ForeignValues => ({
  account: [branch.id],
  assignment: [ids.assignment],
  assignment_group: [ids.assignment_group],
  custom_gradebook_column: created.custom_gradebook_columns === undefined ? [] : [created.custom_gradebook_columns],
  assignment_override: [ids.override],
  content: [ids.assignment],
  context: [`course_${course.id}`, `course_section_${course.section_id}`, `group_${ids.group}`, `user_${student.id}`],
  conversation: [ids.conversation],
  course: [course.id],
  developer_key: [ids.developerKey],
  discussion_topic: [ids.topic],
  external_tool: [ids.externalTool],
  file: [ids.file, ids.ownFile],
  folder: [ids.folder],
  grading_standard: [ids.gradingStandard, ids.accountStandard],
  grading_period: [ids.coursePeriod],
  grading_period_set: [ids.periodSet],
  group: [ids.group],
  group_category: [ids.groupCategory],
  module: [ids.module],
  module_item: [ids.item],
  participant: [student.id],
  question_bank: [ids.questionBank],
  new_quiz_item: [ids.newQuizItem],
  quiz: [ids.quiz],
  quiz_group: [ids.quizGroup],
  quiz_question: [ids.quizQuestion],
  quiz_submission: [ids.quizSubmission],
  learning_outcome: [ids.outcome],
  outcome_group: [ids.outcomeGroup, ids.accountOutcomeGroup],
  poll_choice: [ids.pollChoice],
  recipient: [student.id, `course_${course.id}`],
  role: [ids.role],
  rubric: [ids.rubric],
  content_export: [ids.contentExport],
  rubric_association: [ids.rubric_association],
  section: [course.section_id],
  submission: [ids.submission],
  user: [student.id],
});

const later = '2030-01-01T00:00:00Z';

/** Values sent with an id, by name, so that nothing else is wrong. */
const beside = ({ course, student, ids }: FullScene): Readonly<Record<string, object>> => ({
  plannable_id: { plannable_type: 'assignment' },
  linked_object_id: { linked_object_type: 'assignment', course_id: course.id },
  context_id: { context_type: 'Course' },
  student_ids: { title: 'x', due_at: later },
  group_id: { due_at: later },
  course_section_id: { due_at: later },
  conversation_ids: { event: 'mark_as_read' },
  sub_context_codes: { context_codes: [`course_${course.id}`] },
  source_file: { on_duplicate: 'rename' },
  source_file_id: { on_duplicate: 'rename' },
  course_ids: { event: 'offer', user_ids: [student.id] },
  user_ids: { course_ids: [course.id] },
  enrollment_role_id: { course_ids: [course.id], user_ids: [student.id] },
  association_id: { association_type: 'Assignment' },
  module_ids: { event: 'publish' },
  locking_account_id: { state: 'on' },
  all_dates: { id: ids.assignment },
});

/** Values that fit only some endpoints, by a part of their address. */
function fit(body: Box, path: string, names: readonly string[], { student2, ids }: FullScene): void {
  if (path.includes('/discussion_topics')) delete body.todo_date;
  if (path.startsWith('/planner_notes')) body.todo_date = later;
  if (path.endsWith('/enrollments')) Object.assign(body.enrollment as Box, { type: 'StudentEnrollment', start_at: undefined });
  // Students comment on their submissions and do not grade them.
  if (names.includes('comment')) delete body.submission;
  if (names.includes('submission') && names.includes('file_ids')) (body.submission as Box).submission_type = 'online_upload';
  if (path.endsWith('/bulk_update') && !names.includes('all_dates'))
    Object.assign((body.assignments as Box[])[0] as Box, { all_dates: [{ base: true, due_at: later }] });
  if (path.endsWith('/account_calendars')) Object.assign((body.account_calendars as Box[])[0] as Box, { visible: true });
  const override = overrideIn(body);
  if (!override) return;
  const targets = ['student_ids', 'group_id', 'course_section_id', 'course_id'];
  if (!targets.some((name) => name in override)) override.student_ids = [student2.id];
  if (path.endsWith('/assignments/overrides')) override.assignment_id ??= ids.emptyAssignment;
}

/** The override that a body creates or changes, under whatever name. */
function overrideIn(body: Box): Box | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'object' || value === null) continue;
    if (/^(assignment_)?overrides?$/.test(name)) return (Array.isArray(value) ? value[0] : value) as Box;
    const deeper = overrideIn(value as Box);
    if (deeper) return deeper;
  }
  return undefined;
}

/** Omits everything optional. */
const least: Dice = { next: () => 0.999, chance: () => false, pick: (from) => from[0] as never };

type Box = Record<string | number, unknown>;

/** The value of a map under a foreign key. */
function underKey(param: Param, fields: Fields, { student }: FullScene): unknown {
  const name = param.steps[0];
  if (name === 'timetables')
    return [{ weekdays: 'Mon', start_time: '10:00', end_time: '11:00', course_start_at: later, course_end_at: '2030-02-01' }];
  if (name === 'dashboard_positions') return 1;
  const grade = { posted_grade: 5, text_comment: 'x' };
  const isOuter = paramsOf(fields).some((one) => one.isKey && one.steps.length > param.steps.length);
  return isOuter ? { [student.id]: grade } : grade;
}

/** The value at the end of a parameter's path. */
function valueAt(step: string, param: Param, value: Value, fields: Fields, scene: FullScene): unknown {
  if (param.isKey) return underKey(param, fields, scene);
  return step === 'course_ids' ? [value] : value;
}

/** The body with a value at a parameter; keys of maps on the way are the caller's own. */
export function bodyWith(endpoint: Endpoint, param: Param, value: Value, scene: FullScene): object {
  const fields = fieldsOf(endpoint);
  const body = bodiesOf(fields, knownIn(scene), least).body(0) as Box;
  const own = everythingIn(scene);
  const ownKey = (steps: readonly string[]) => {
    const { kind } = paramsOf(fields).find((one) => one.isKey && one.steps.join() === steps.join()) ?? {};
    return String((kind && own[kind]?.[0]) ?? 1);
  };
  const way = param.isKey ? [...param.steps, anyKey] : param.steps;
  const last = way.length - 1;
  const keyAt = (depth: number): string | number => {
    const step = way[depth] as string;
    if (step === inList) return 0;
    if (step !== anyKey) return step;
    return param.isKey && depth === last ? String(value) : ownKey(way.slice(0, depth));
  };
  let at: Box = body;
  for (const [depth, step] of way.entries()) {
    if (step !== inList && step !== anyKey) Object.assign(at, beside(scene)[step] ?? {});
    if (depth === last) at[keyAt(depth)] = valueAt(step, param, value, fields, scene);
    else at = openAt(at, keyAt(depth), way[depth + 1] === inList);
  }
  fit(body, endpoint.path, way, scene);
  return titleOf(endpoint) in lists ? (Object.values(body)[0] as object) : body;
}

/** The container under a key, created if it is missing or of another form. */
function openAt(at: Box, key: string | number, isList: boolean): Box {
  const there = at[key];
  if (typeof there !== 'object' || there === null || Array.isArray(there) !== isList) at[key] = isList ? [] : {};
  return at[key] as Box;
}
