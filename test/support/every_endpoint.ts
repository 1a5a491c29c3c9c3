// The address of every endpoint in the full scene, from the parameters in its path. An endpoint whose address is unknown fails the tests that need
// it.

import { endpoints } from '@carrel/worker/dist/endpoints';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { addressOf } from '@carrel/worker/http/router';
import type { FullScene } from './full_scene';

export { endpoints };

/** As lists of exceptions in tests name it. */
export const titleOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** A path value: a number, a word or a part of an address. */
export type PathValue = string | number;

/** By the literal path before the parameter; the longest match is used. */
const places: Record<string, (scene: FullScene) => PathValue> = {
  account_id: ({ branch }) => branch.id,
  course_id: ({ course }) => course.id,
  section_id: ({ course }) => course.section_id,
  user_id: ({ student }) => student.id,
  'admins/user_id': ({ branchAdmin }) => branchAdmin.id,
  scope: () => 'fruits/apple',
  source: ({ student }) => student.id,
  destination: ({ student2 }) => student2.id,
  destination_account: () => 1,
  observee: ({ student2 }) => student2.id,
  observer: ({ observer }) => observer.id,
  removed: ({ removed }) => removed.id,
  new_course_id: ({ elsewhere }) => elsewhere.course.id,
  assignment_id: ({ ids }) => ids.assignment,
  student_id: ({ student2 }) => student2.id,
  grader_id: ({ teacher }) => teacher.id,
  date: () => '2026-11-23',
  provisional_grade_id: ({ ids }) => ids.provisionalGrade,
  submission_id: ({ ids }) => ids.submission,
  anonymous_id: ({ anonymous_id }) => anonymous_id,
  topic_id: ({ ids }) => ids.topic,
  entry_id: ({ ids }) => ids.entry,
  module_id: ({ ids }) => ids.module,
  context_module_id: ({ ids }) => ids.module,
  folder_id: ({ ids }) => ids.folder,
  dest_folder_id: ({ ids }) => ids.folder,
  revision_id: ({ ids }) => ids.revision,
  version_id: ({ ids }) => ids.fileVersion,
  tab_id: () => 'pages',
  // The scene's course has students, so it is no blueprint.
  template_id: () => 'default',
  subscription_id: () => 'default',
  'migrations/id': () => 1,
  'course_copy/id': () => 1,
  'courses/content_migrations/id': ({ ids }) => ids.courseMigration,
  'courses/content_migrations/content_migration_id': ({ ids }) => ids.courseMigration,
  'courses/content_migrations/migration_issues/id': ({ ids }) => ids.courseMigrationIssue,
  'accounts/content_migrations/id': ({ ids }) => ids.accountMigration,
  'accounts/content_migrations/content_migration_id': ({ ids }) => ids.accountMigration,
  'accounts/content_migrations/migration_issues/id': ({ ids }) => ids.accountMigrationIssue,
  'groups/content_migrations/id': ({ ids }) => ids.groupMigration,
  'groups/content_migrations/content_migration_id': ({ ids }) => ids.groupMigration,
  'groups/content_migrations/migration_issues/id': ({ ids }) => ids.groupMigrationIssue,
  'users/content_migrations/id': ({ ids }) => ids.userMigration,
  'users/content_migrations/content_migration_id': ({ ids }) => ids.userMigration,
  'users/content_migrations/migration_issues/id': ({ ids }) => ids.userMigrationIssue,
  migration_id: () => 'guessed',
  event: ({ ids }) => ids.event,
  feed: () => 'course_guessed.ics',
  participant: ({ student }) => student.id,
  'appointment_groups/id': ({ ids }) => ids.appointment_group,
  role: ({ ids }) => ids.role,
  term: ({ ids }) => ids.term,
  token: ({ ids }) => ids.token,
  'tokens/id': ({ ids }) => ids.token,
  feature: () => 'epub_export',
  channel: ({ channel_id }) => channel_id,
  type: () => 'email',
  address: ({ student }) => student.login,
  notification: () => 'new_announcement',
  category: () => 'announcement',
  url: ({ urls }) => urls.page,
  full_path: ({ words: { course } }) => `${course} folder`,
  path: ({ words: { course } }) => `${course} folder/${course} file.txt`,
  asset_string: ({ course }) => `course_${course.id}`,
  'todo/asset_string': ({ ids }) => `assignment_${ids.assignment}`,
  purpose: () => 'submitting',
  ticket: () => 'guessed',
  query_id: ({ uuids }) => uuids.pageViewQuery,
  provider: () => 'canvas',
  uuid: ({ uuids }) => uuids.file,
  'thumbnails/id': ({ ids }) => ids.image,
  'thumbnails/uuid': ({ uuids }) => uuids.image,
  'activity_stream/item': ({ ids }) => `topic_${ids.topic}`,
  'read/item': () => 'grade',
  'assignment_groups/id': ({ ids }) => ids.assignment_group,
  'courses/grading_periods/id': ({ ids }) => ids.coursePeriod,
  'accounts/grading_periods/id': ({ ids }) => ids.period,
  'grading_period_sets/id': ({ ids }) => ids.periodSet,
  set_id: ({ ids }) => ids.periodSet,
  'overrides/id': ({ ids }) => ids.override,
  'custom_gradebook_columns/id': ({ ids }) => ids.gradebookColumn,
  'gradebook_uploads/id': ({ ids }) => ids.gradebookUpload,
  'courses/grading_standards/id': ({ ids }) => ids.gradingStandard,
  'custom_grade_statuses/id': ({ ids }) => ids.customGradeStatus,
  'accounts/grading_standards/id': ({ ids }) => ids.accountStandard,
  'planner/overrides/id': ({ ids }) => ids.planner_override,
  'comments/id': ({ ids }) => ids.comment,
  'developer_keys/id': ({ ids }) => ids.developerKey,
  developer_key_id: ({ ids }) => ids.developerKey,
  'planner_notes/id': ({ ids }) => ids.note,
  'progress/id': ({ ids }) => ids.progress,
  'dead_letters/id': ({ ids }) => ids.dead_letter,
  'webhook_subscriptions/id': ({ ids }) => ids.webhook,
  webhook_subscription_id: ({ ids }) => ids.webhook,
  'webhook_subscriptions/dead_letters/id': ({ ids }) => ids.undelivered,
  report: () => 'unused_courses_csv',
  'reports/id': ({ ids }) => ids.report,
  'sis_imports/id': ({ ids }) => ids.sis_import,
  'eportfolios/id': ({ ids }) => ids.eportfolio,
  eportfolio_id: ({ ids }) => ids.eportfolio,
  'account_notifications/id': ({ ids }) => ids.account_notification,
  'users/account_notifications/id': ({ ids }) => ids.account_notification,
  'sub_accounts/sub_account': ({ leaf }) => leaf.id,
  'logins/id': ({ login_id }) => login_id,
  'enrollments/id': ({ ids }) => ids.enrollment,
  group_id: ({ ids }) => ids.group,
  'groups/discussion_topics/topic_id': ({ ids }) => ids.groupTopic,
  'groups/discussion_topics/entries/entry_id': ({ ids }) => ids.groupEntry,
  'groups/files/id': ({ ids }) => ids.groupFile,
  'groups/folders/id': ({ ids }) => ids.groupFolder,
  'groups/pages/url': ({ urls }) => urls.groupPage,
  'groups/pages/revisions/revision_id': () => 1,
  'groups/folders/by_path/full_path': ({ words: { course } }) => `unfiled/${course} drafts`,
  'groups/file_contents/path': ({ words: { course } }) => `files/unfiled/${course} plan.txt`,
  membership_id: ({ ids }) => ids.membership,
  'group_categories/id': ({ ids }) => ids.groupCategory,
  'files/id': ({ ids }) => ids.file,
  'users/files/id': ({ ids }) => ids.ownFile,
  'folders/id': ({ ids }) => ids.folder,
  'users/folders/id': ({ ids }) => ids.ownFolder,
  'modules/id': ({ ids }) => ids.module,
  'items/id': ({ ids }) => ids.doneItem,
  'module_item_redirect/id': ({ ids }) => ids.item,
  external_feed_id: ({ ids }) => ids.external_feed,
  'groups/external_feeds/external_feed_id': ({ ids }) => ids.groupFeed,
  'bookmarks/id': ({ ids }) => ids.bookmark,
  collaboration_id: ({ ids }) => ids.collaboration,
  'collaborations/id': ({ ids }) => ids.collaboration,
  'groups/collaborations/id': ({ ids }) => ids.groupCollaboration,
  'conversations/id': ({ ids }) => ids.conversation,
  'receipts/id': ({ ids }) => ids.submission,
  'uploads/id': ({ ids }) => ids.ownFile,
  number: () => 1,
  'rubrics/id': ({ ids }) => ids.rubric,
  'accounts/rubrics/id': ({ ids }) => ids.accountRubric,
  'rubric_associations/id': ({ ids }) => ids.rubric_association,
  rubric_association_id: ({ ids }) => ids.rubric_association,
  'rubric_assessments/id': ({ ids }) => ids.assessment,
  'quizzes/id': ({ ids }) => ids.quiz,
  quiz_id: ({ ids }) => ids.quiz,
  'quizzes/questions/id': ({ ids }) => ids.quizQuestion,
  'quizzes/groups/id': ({ ids }) => ids.quizGroup,
  'quizzes/reports/id': ({ ids }) => ids.quiz * 4,
  'quizzes/submissions/id': ({ ids }) => ids.quizSubmission,
  'quizzes/assignment_id': ({ ids }) => ids.newQuiz,
  'quizzes/items/item_id': ({ ids }) => ids.newQuizItem,
  session_id: ({ ids }) => ids.newQuizSession,
  quiz_submission_id: ({ ids }) => ids.quizSubmission,
  'quiz_submissions/questions/id': ({ ids }) => ids.quizQuestion,
  new_group: () => 'new',
  'outcomes/id': ({ ids }) => ids.outcome,
  outcome_id: ({ ids }) => ids.outcome,
  'accounts/outcome_groups/outcomes/outcome_id': ({ ids }) => ids.accountOutcome,
  'global/outcome_groups/outcomes/outcome_id': ({ ids }) => ids.globalOutcome,
  'courses/outcome_groups/id': ({ ids }) => ids.outcomeGroup,
  'accounts/outcome_groups/id': ({ ids }) => ids.accountOutcomeGroup,
  'global/outcome_groups/id': ({ ids }) => ids.globalOutcomeGroup,
  'question_banks/id': ({ ids }) => ids.questionBank,
  'accounts/question_banks/id': ({ ids }) => ids.accountQuestionBank,
  assessment_id: ({ ids }) => ids.liveAssessment,
  'courses/epub_exports/id': ({ ids }) => ids.book,
  'courses/content_exports/id': ({ ids }) => ids.contentExport,
  'groups/content_exports/id': ({ ids }) => ids.groupExport,
  'users/content_exports/id': ({ ids }) => ids.ownExport,
  outcome_import_id: ({ ids }) => ids.outcomeImport,
  'accounts/outcome_imports/outcome_import_id': ({ ids }) => ids.accountOutcomeImport,
  learning_outcome_group_id: ({ ids }) => ids.outcomeGroup,
  'accounts/outcome_imports/group/learning_outcome_group_id': ({ ids }) => ids.accountOutcomeGroup,
  'polls/id': ({ ids }) => ids.poll,
  poll_id: ({ ids }) => ids.poll,
  'poll_choices/id': ({ ids }) => ids.pollChoice,
  'poll_sessions/id': ({ ids }) => ids.pollSession,
  poll_session_id: ({ ids }) => ids.pollSession,
  'poll_submissions/id': ({ ids }) => ids.pollSubmission,
  import_id: () => 'latest',
  any_course: ({ course }) => course.id,
  any_account: ({ branch }) => branch.id,
  'courses/external_tools/external_tool_id': ({ ids }) => ids.externalTool,
  'accounts/external_tools/external_tool_id': ({ ids }) => ids.accountTool,
  'rce_favorites/id': ({ ids }) => ids.accountTool,
  'top_nav_favorites/id': ({ ids }) => ids.accountTool,
  'content_shares/id': ({ ids }) => ids.contentShare,
  media_object_id: ({ uuids }) => `m-${uuids.media}`,
  attachment_id: ({ ids }) => ids.media,
  'media_tracks/id': ({ ids }) => ids.mediaTrack,
  'error_reports/id': ({ ids }) => ids.errorReport,
  lti_resource_link_id: ({ ids }) => ids.resourceLink,
  service: () => 'external_tool',
  content_ticket: () => 'none',
  registration_uuid: ({ uuids }) => uuids.registration,
  tool_id: ({ ids }) => ids.externalTool,
  'line_items/id': ({ ids }) => ids.assignment,
  line_item_id: ({ ids }) => ids.assignment,
  'line_items/results/id': ({ ids }) => ids.submission,
};

const nameOf = (segment: string) => (segment.startsWith(':') ? segment.slice(1).replace(/\+$/, '') : undefined);

/** The names under which a parameter may be known, the longest first. */
const keysOf = (literals: readonly string[], name: string) => [...literals.map((_, at) => [...literals.slice(at), name].join('/')), name];

/** Domains of courses without an entry above: the scene creates one object of each with its POST endpoint. */
export const unnamed: readonly Endpoint[] = endpoints.filter(({ method, path }) => {
  const domain = /^\/courses\/:course_id\/(\w+)$/.exec(path)?.[1];
  if (method !== 'POST' || domain === undefined || keysOf(['courses', domain], 'id').some((key) => key in places)) return false;
  return endpoints.some((other) => other.path === `${path}/:id`);
});

/** A parameter of a path. */
interface PathParameter {
  readonly name: string;
  /** Its entry in `places`. */
  readonly key: string | undefined;
  /** The literal before it. */
  readonly within: string;
}

function parametersIn({ path }: Endpoint): readonly PathParameter[] {
  const literals: string[] = [];
  return path.split('/').flatMap((segment): PathParameter[] => {
    const name = nameOf(segment);
    if (name !== undefined) return [{ name, key: keysOf(literals, name).find((one) => one in places), within: literals.at(-1) ?? '' }];
    if (segment !== '') literals.push(segment);
    return [];
  });
}

/** Every endpoint is requested hundreds of times. */
const parameters = new WeakMap<Endpoint, readonly PathParameter[]>();

/** The parameters in an endpoint's path and their values. */
export function pathValuesIn(endpoint: Endpoint, scene: FullScene): Record<string, PathValue> {
  const known = parameters.get(endpoint) ?? parametersIn(endpoint);
  parameters.set(endpoint, known);
  const named: Record<string, PathValue> = {};
  for (const { name, key, within } of known) {
    const created = name === 'id' ? scene.created[within] : undefined;
    const place = key === undefined ? created : places[key]?.(scene);
    if (place === undefined)
      throw new Error(`${endpoint.method} ${endpoint.path}: nothing is known to stand for :${name}; name it in every_endpoint.ts`);
    named[name] = place;
  }
  return named;
}

/** The address with its parameters filled in, below `/api/v1` unless it is absolute. */
export const fillPath = (endpoint: Endpoint, named: Readonly<Record<string, PathValue>>, raw = false): string =>
  addressOf(endpoint)
    .split('/')
    .map((segment) => {
      const name = nameOf(segment);
      if (name === undefined) return segment;
      const given = String(named[name]);
      return raw ? given : segment.endsWith('+') ? given.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(given);
    })
    .join('/');

/** The domain of an endpoint, by which test files divide the work: the first word of the path that is not a context. */
export function subjectOf({ path }: Endpoint): string {
  const literals = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'));
  const subject = literals.find((word) => !['courses', 'users', 'accounts', 'sections', 'course', 'self', 'api'].includes(word));
  return subject ?? literals.at(-1) ?? '';
}
