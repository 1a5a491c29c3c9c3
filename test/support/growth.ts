// Every table of D1: what makes it grow, how long its rows are kept, and how they leave. Read by `test/growth.test.ts`, which also writes it into
// docs/scale.md.

/** What a row is for. None is for a request: reads leave nothing in D1. */
export type GrowthUnit =
  | 'service'
  | 'institution'
  | 'person'
  | 'course'
  | 'item'
  | 'enrollment'
  | 'submission'
  | 'write'
  | 'job'
  | 'sign-in'
  | 'message'
  | 'second'
  | 'hour';

export interface Growth {
  readonly per: GrowthUnit;
  /** One row for each of these. */
  readonly row: string;
  /** How long a row is kept. */
  readonly kept: string;
  /** The chore that deletes old rows; `jobs` when the work that made them deletes them. */
  readonly leaves?: string;
  /** Where they go; deleted when absent. */
  readonly to?: string;
  /** Lengths of texts in a typical row, where the name of a column says nothing. */
  readonly lengths?: Readonly<Record<string, number>>;
  /** Assumed for 50,000 people: rows a day with the days that they are kept, or rows in all. */
  readonly rows?: { readonly a_day: number; readonly days?: number } | { readonly in_all: number };
}

const kept = 'for ever';
const configuration = (row: string): Growth => ({ per: 'institution', row, kept });
const perPerson = (row: string, rest: Partial<Growth> = {}): Growth => ({ per: 'person', row, kept, ...rest });
const perCourse = (row: string, rest: Partial<Growth> = {}): Growth => ({ per: 'course', row, kept, ...rest });
const content = (row: string, rest: Partial<Growth> = {}): Growth => ({ per: 'item', row, kept, ...rest });
const perEnrollment = (row: string, rest: Partial<Growth> = {}): Growth => ({ per: 'enrollment', row, kept, ...rest });
const perSubmission = (row: string, rest: Partial<Growth> = {}): Growth => ({ per: 'submission', row, kept, ...rest });
const fixed = (row: string): Growth => ({ per: 'service', row, kept: 'a fixed number of rows' });
const index = (row: string, per: GrowthUnit = 'item'): Growth => ({ per, row, kept: 'with the row that it finds' });
const perJob = (row: string, rest: Partial<Growth> = {}): Growth => ({ per: 'job', row, kept, ...rest });

export const growth: Readonly<Record<string, Growth>> = {
  // The service itself.
  acting: fixed('the batch that is written'),
  chores: fixed('scheduled chore'),
  course_copying: fixed('the batch that is written'),
  facts: fixed('fact about the database'),
  log_archives: fixed('audit log'),
  sis_writing: fixed('the batch that is written'),
  trigger_hashes: fixed('trigger'),

  // Configuration of the institution.
  webhook_subscriptions: configuration('subscription to events, at most 20'),
  webhook_topics: {
    per: 'institution',
    row: 'event that a subscription wants',
    kept: 'while the subscription is active',
    rows: { in_all: 200 },
  },
  account_ancestors: configuration('account and account above it'),
  account_notifications: configuration('announcement to an account'),
  accounts: configuration('account'),
  admins: configuration('administrator'),
  authentication_providers: configuration('identity provider'),
  developer_key_account_bindings: configuration('developer key and account'),
  developer_keys: configuration('developer key'),
  grading_period_sets: configuration('set of grading periods'),
  grading_periods: configuration('grading period'),
  external_tools: configuration('external tool of an account or a course'),
  tool_configurations: configuration('developer key of an external tool'),
  lti_keys: fixed('key that signs launches of external tools'),
  feature_flags: configuration('flag that was set for an account, a course or a user'),
  role_overrides: configuration('permission that was changed for a role'),
  custom_grade_statuses: configuration('status of submissions that the institution has defined'),
  grading_standards: configuration('grading scheme of an account or a course'),
  roles: configuration('role'),
  terms: configuration('term'),
  abstract_courses: configuration('abstract course of an SIS'),

  // People.
  bookmarks: perPerson('bookmark'),
  closed_account_notifications: perPerson('announcement that was closed'),
  communication_channels: perPerson('address'),
  course_nicknames: perPerson('nickname of a course'),
  custom_data: perPerson('application that keeps data for the user'),
  eportfolio_pages: perPerson('page of a portfolio'),
  eportfolio_sections: perPerson('section of a portfolio'),
  eportfolios: perPerson('portfolio'),
  favorites: perPerson('favorite course or group'),
  hidden_stream_items: perPerson('item that was hidden'),
  ignored_todos: perPerson('to-do item that was ignored'),
  upload_parts: { per: 'write', row: 'part of an unfinished upload', kept: 'with its upload', leaves: 'jobs' },
  uploads: { per: 'write', row: 'unfinished upload in parts', kept: 'three days', leaves: 'abort_expired_uploads' },
  user_accesses: perPerson('user, with the last access', { rows: { in_all: 50_000 } }),
  live_users: { per: 'person', row: 'user with an open socket', kept: 'while the socket is open', leaves: 'jobs' },
  logins: perPerson('login', { rows: { in_all: 50_000 } }),
  notification_preferences: perPerson('preference that was changed'),
  observer_pairing_codes: {
    per: 'write',
    row: 'pairing code',
    kept: '30 days after it expires',
    leaves: 'delete_expired_pairing_codes',
  },
  observers: perPerson('observer of a student'),
  poll_choices: content('choice of a poll'),
  poll_sessions: content('session of a poll'),
  poll_submissions: content('answer to a poll', { lengths: { created_at: 20 } }),
  polls: perPerson('poll'),
  media_titles: content('title of a recording'),
  media_tracks: content('captions of a recording'),
  line_items: content('assignment that an external tool has made'),
  line_item_scores: perSubmission('score that an external tool has sent'),
  lti_resource_links: content('link to a resource of an external tool'),
  learning_outcome_groups: content('group of outcomes'),
  learning_outcome_links: content('outcome in a group'),
  learning_outcomes: content('outcome'),
  live_assessment_results: perSubmission('check of a student in a live assessment'),
  live_assessments: content('live assessment'),
  outcome_alignments: content('outcome and what assesses it'),
  outcome_imports: perJob('import of outcomes'),
  outcome_positions: perPerson('outcome that a user has ordered in a course'),
  outcome_proficiencies: configuration('proficiency scale of an account or a course'),
  outcome_results: perSubmission('outcome that was assessed in a submission'),
  planner_notes: perPerson('note in the planner'),
  planner_overrides: perPerson('planner item that was checked off'),
  push_tokens: perPerson('device with push notifications'),
  storage: perPerson('user, course or group with files'),
  tokens: perPerson('access token: one for each application that a user has allowed', { rows: { in_all: 150_000 } }),
  user_merges: perPerson('merge of two users'),
  user_merge_items: {
    per: 'write',
    row: 'row that a merge of users has moved',
    kept: '180 days after the merge',
    leaves: 'delete_old_merge_records',
  },
  users: perPerson('user', { rows: { in_all: 50_000 } }),

  // Courses and their content.
  account_figures: configuration('account, term and scope of analytics'),
  analytics_walks: fixed('chore of analytics'),
  assignment_figures: content('assignment, with its quartiles', { rows: { in_all: 100_000 } }),
  course_activity: {
    per: 'hour',
    row: 'course and day with page views',
    kept: '400 days',
    leaves: 'delete_old_activity',
    rows: { a_day: 4000, days: 400 },
  },
  course_categories: perCourse('course and category of page views', { rows: { in_all: 50_000 } }),
  course_figures: perCourse('course, with figures of its students and content', { rows: { in_all: 5000 } }),
  account_courses: perCourse('course and account above it', { rows: { in_all: 15_000 } }),
  appointment_group_contexts: content('appointment group and course'),
  appointment_groups: content('appointment group'),
  assignment_groups: content('group of assignments'),
  late_policies: { per: 'course', row: 'late policy', kept },
  late_policy_runs: {
    per: 'item',
    row: 'change or due date under a late policy',
    kept: 'until it is applied',
    leaves: 'apply_late_policies',
  },
  assignment_override_students: content('student of an override'),
  assignment_overrides: content('override of dates'),
  assignment_places: content('assignment', { rows: { in_all: 100_000 } }),
  assignments: content('assignment', { lengths: { description: 1500 }, rows: { in_all: 100_000 } }),
  blobs: content('stored file: its bytes are in R2', { leaves: 'delete_unused_files', kept: 'until a day after its last file is deleted' }),
  blueprint_changes: content('item of a blueprint'),
  blueprint_items: content('locked item of a blueprint'),
  blueprint_subscriptions: perCourse('course of a blueprint'),
  blueprint_templates: perCourse('blueprint'),
  calendar_events: content('event', { rows: { in_all: 200_000 } }),
  collaborations: content('collaboration'),
  collaborators: content('member of a collaboration'),
  copied_items: content('item and its copy in another course'),
  imported_items: content('item of a package and its import'),
  course_timetables: perCourse('timetable'),
  course_score_marks: perCourse('course with stored scores'),
  courses: perCourse('course', { lengths: { syllabus_body: 2000 }, rows: { in_all: 5000 } }),
  discussion_entries: content('entry of a discussion', { lengths: { message: 600 }, rows: { a_day: 10_000 } }),
  discussion_topics: content('topic', { lengths: { message: 1500 }, rows: { in_all: 50_000 } }),
  discussion_view_changes: { per: 'item', row: 'entry that is not cached yet', kept: 'until the next read of the topic', leaves: 'jobs' },
  discussion_view_parts: { per: 'item', row: '200 entries of a topic', kept: 'while the topic exists' },
  external_feed_entries: content('entry of a web feed'),
  external_feeds: content('web feed'),
  file_versions: {
    per: 'write',
    row: 'earlier version of a file',
    kept: '30 days, and at most 200 of a file',
    leaves: 'delete_old_file_versions',
    rows: { a_day: 20_000, days: 30 },
  },
  files: content('file', { rows: { in_all: 2_000_000 } }),
  folders: content('folder', { rows: { in_all: 200_000 } }),
  former_page_urls: content('former name of a page'),
  group_categories: content('set of groups'),
  groups: content('group'),
  new_quiz_accommodations: perEnrollment('student with more time or attempts in New Quizzes'),
  new_quiz_items: content('item of a New Quiz', { lengths: { entry: 1200 }, rows: { in_all: 200_000 } }),
  new_quizzes: content('New Quiz', { lengths: { quiz_settings: 600 }, rows: { in_all: 15_000 } }),
  module_items: content('item of a module', { rows: { in_all: 300_000 } }),
  module_overrides: content('override of a module'),
  modules: content('module'),
  page_revisions: content('revision of a page', { lengths: { body: 3000 }, rows: { a_day: 3000 } }),
  pages: content('page', { lengths: { body: 3000 }, rows: { in_all: 50_000 } }),
  question_banks: content('question bank'),
  quiz_groups: content('question group of a quiz'),
  quiz_question_versions: content('question as attempts got it', { lengths: { content: 1500 }, rows: { in_all: 400_000 } }),
  quiz_questions: content('question of a quiz or bank', { lengths: { question_text: 400, data: 900 }, rows: { in_all: 600_000 } }),
  quizzes: content('quiz', { lengths: { description: 600 }, rows: { in_all: 30_000 } }),
  rubric_associations: content('rubric and what it is used for'),
  rubrics: content('rubric', { lengths: { criteria: 2500 } }),
  scheduled_changes: { per: 'item', row: 'date of an item', kept: 'while the item has the date', leaves: 'jobs' },
  sections: perCourse('section', { rows: { in_all: 10_000 } }),

  // Indexes of words.
  account_runs: index('account with a word'),
  account_search: index('account', 'institution'),
  course_runs: index('course with a word'),
  course_search: index('course', 'course'),
  course_words: index('course and term', 'course'),
  people_runs: index('person with a word', 'person'),
  people_search: index('person', 'person'),

  // Enrollments.
  course_students: perEnrollment('student of a course, with counts of page views', { rows: { in_all: 250_000 } }),
  student_weeks: {
    per: 'hour',
    row: 'student, course and week with page views',
    kept: '120 days',
    leaves: 'delete_old_activity',
    lengths: { hours: 120, participated: 100 },
    rows: { a_day: 35_000, days: 120 },
  },
  discussion_entry_reads: perEnrollment('entry that a user has read', { rows: { a_day: 100_000 } }),
  discussion_topic_reads: perEnrollment('topic and user who has read it', { rows: { in_all: 1_000_000 } }),
  custom_gradebook_columns: content('custom column of a gradebook'),
  custom_gradebook_data: perEnrollment('student with a text in a custom column'),
  final_grade_overrides: perEnrollment('student and period with a final grade that a grader set'),
  enrollments: perEnrollment('enrollment', { rows: { in_all: 300_000 } }),
  group_memberships: perEnrollment('member of a group', { rows: { in_all: 100_000 } }),
  module_marks: perEnrollment('requirement that a student has met', { rows: { in_all: 2_000_000 } }),
  module_progressions: perEnrollment('module and student', { rows: { in_all: 500_000 } }),
  roster_counts: perCourse('role in a section'),

  // Submissions.
  quiz_answers: perSubmission('question that a student answered or flagged', { lengths: { answer: 40 }, rows: { a_day: 100_000 } }),
  quiz_attempts: perSubmission('attempt at a quiz', { lengths: { presented: 900, results: 900 }, rows: { a_day: 6000 } }),
  quiz_submission_events: perSubmission('event of an attempt', { lengths: { event_data: 60 }, rows: { a_day: 150_000 } }),
  quiz_submissions: perSubmission('quiz and student', { rows: { a_day: 5000 } }),
  rubric_assessments: perSubmission('assessment by a rubric', { lengths: { data: 900 }, rows: { a_day: 3000 } }),
  submission_comments: perSubmission('comment', { lengths: { comment: 300 }, rows: { a_day: 5000 } }),
  submission_reads: perSubmission('grade or comment that was read'),
  submission_versions: perSubmission('earlier attempt or grade', { lengths: { version: 900 }, rows: { a_day: 20_000 } }),
  what_if_scores: perSubmission('score that a student tries out'),
  term_score_runs: {
    per: 'item',
    row: 'term whose grading periods have changed',
    kept: 'until its courses are marked',
    leaves: 'compute_scores',
  },
  course_scores: perEnrollment('student with work in a course'),
  provisional_grades: perSubmission('grader of a moderated assignment', { rows: { a_day: 500 } }),
  provisional_comments: perSubmission('comment of a grader of a moderated assignment', { rows: { a_day: 300 } }),
  moderation_selections: perSubmission('submission in a moderation set', { rows: { a_day: 200 } }),
  moderation_graders: content('grader of a moderated assignment'),
  published_moderations: content('moderated assignment with published grades'),
  assessment_requests: perSubmission('peer review', { rows: { a_day: 1_000 } }),
  peer_review_runs: {
    per: 'item',
    row: 'assignment whose peer reviews are to be assigned',
    kept: 'until they are assigned',
    leaves: 'assign_peer_reviews',
  },
  submissions: perSubmission('assignment and student', { lengths: { body: 500 }, rows: { a_day: 25_000 } }),

  // Messages.
  comm_messages: {
    per: 'message',
    row: 'notification and address',
    kept: '14 days',
    leaves: 'delete_old_messages',
    lengths: { body: 500, html_body: 700 },
    rows: { a_day: 50_000, days: 14 },
  },
  webhook_deliveries: {
    per: 'write',
    row: 'event that a subscription wants, until it is delivered',
    kept: 'until it is delivered, 30 days if that fails',
    leaves: 'delete_old_webhook_deliveries',
    lengths: { metadata: 150, body: 600 },
    rows: { a_day: 100, days: 30 },
  },
  conversation_batches: perPerson('message that was sent to many users one by one'),
  conversation_message_participants: content('message and user who has it', { rows: { a_day: 30_000 } }),
  conversation_messages: content('message', { lengths: { body: 500 }, rows: { a_day: 10_000 } }),
  conversation_participants: content('conversation and user', { rows: { a_day: 10_000 } }),
  conversations: content('conversation', { rows: { a_day: 4000 } }),
  notification_queue: { per: 'write', row: 'change that notifies', kept: 'until its messages are written', leaves: 'send_messages' },

  // Jobs.
  account_report_pieces: { per: 'job', row: 'part of a report', kept: 'while the report is written', leaves: 'jobs' },
  account_reports: perJob('report'),
  blueprint_imports: perJob('sync into a course'),
  blueprint_migrations: perJob('sync of a blueprint'),
  content_migrations: perJob('content migration'),
  content_export_pieces: {
    per: 'job',
    row: 'part of an archive',
    kept: 'while it is written, 2 days if that fails',
    leaves: 'delete_old_content_exports',
    lengths: { entries: 4000, resources: 2000 },
  },
  content_shares: { per: 'job', row: 'content that a user has shared or received', kept: '180 days', leaves: 'delete_old_content_exports' },
  content_exports: { per: 'job', row: 'export of files or quizzes, or book', kept: '180 days', leaves: 'delete_old_content_exports' },
  course_copies: perJob('copy of a course'),
  error_reports: { per: 'write', row: 'problem that a user has reported', kept: '180 days', leaves: 'delete_old_error_reports' },
  dead_letters: { per: 'job', row: 'job that failed six times', kept: '60 days', leaves: 'delete_old_failed_jobs' },
  gradebook_csv_pieces: {
    per: 'job',
    row: 'part of an export of a gradebook, or of a report of a quiz',
    kept: 'while it is written, 2 days if that fails',
    leaves: 'delete_old_gradebook_files',
    lengths: { content: 100_000 },
  },
  gradebook_upload_rows: {
    per: 'job',
    row: 'student in an uploaded gradebook',
    kept: '30 days',
    leaves: 'delete_old_gradebook_files',
    lengths: { student: 120, cells: 600, changes: 900 },
  },
  gradebook_uploads: {
    per: 'job',
    row: 'uploaded gradebook',
    kept: '30 days',
    leaves: 'delete_old_gradebook_files',
    lengths: { columns: 4000 },
  },
  progress: { per: 'job', row: 'background job', kept: 'a year', leaves: 'delete_old_progress', rows: { a_day: 2000, days: 365 } },
  rubric_imports: perJob('import of rubrics'),
  migration_issues: perJob('message of a content migration'),
  sis_import_changes: { per: 'job', row: 'step of an import', kept: '30 days', leaves: 'delete_old_sis_imports' },
  sis_import_errors: { per: 'job', row: 'message of an import', kept: '30 days', leaves: 'delete_old_sis_imports' },
  sis_import_files: perJob('file of an import'),
  sis_import_passages: { per: 'job', row: 'step of an import', kept: 'while it runs', leaves: 'delete_old_sis_imports' },
  sis_import_seen: { per: 'job', row: 'item that an import names', kept: 'while it runs', leaves: 'delete_old_sis_imports' },
  sis_import_stage: { per: 'job', row: 'block of rows of a file', kept: 'while it is imported', leaves: 'delete_old_sis_imports' },
  sis_imports: perJob('import'),

  // Sign-ins.
  authentication_events: {
    per: 'sign-in',
    row: 'sign-in or sign-out',
    kept: '60 to 90 days',
    leaves: 'archive_audit_logs',
    to: 'R2',
    lengths: { user_agent: 120 },
    rows: { a_day: 25_000, days: 75 },
  },
  authorization_codes: { per: 'sign-in', row: 'authorization code', kept: 'a day after it expires', leaves: 'delete_expired_grants' },
  login_throttles: {
    per: 'sign-in',
    row: 'name or address with failed attempts',
    kept: 'until the bucket is empty, at most 50 minutes after the last attempt',
    leaves: 'delete_expired_login_throttles',
  },
  password_resets: { per: 'sign-in', row: 'login with a code', kept: 'an hour', leaves: 'delete_expired_password_resets' },
  service_tokens: { per: 'sign-in', row: 'token of an application', kept: 'until it expires', leaves: 'delete_expired_grants' },
  sessions: {
    per: 'sign-in',
    row: 'browser session',
    kept: 'until it expires',
    leaves: 'delete_expired_sessions',
    lengths: { user_agent: 120 },
    rows: { a_day: 20_000, days: 14 },
  },
  lti_used: {
    per: 'sign-in',
    row: 'launch of a tool, or message of one, that was used',
    kept: 'until it expires',
    leaves: 'delete_expired_grants',
  },
  used_assertions: { per: 'sign-in', row: 'assertion that was used', kept: 'until it expires', leaves: 'delete_expired_grants' },

  // Logs.
  archived_logs: { per: 'write', row: 'object with up to 5,000 rows of an audit log', kept, rows: { a_day: 40 } },
  changes: {
    per: 'item',
    row: 'item and scope that may see it: a newer change replaces the older',
    kept: 'while the item exists, then 15 months',
    leaves: 'delete_old_deletions_of_the_log',
    rows: { in_all: 6_000_000 },
  },
  course_events: {
    per: 'write',
    row: 'change of a course',
    kept: '365 to 395 days',
    leaves: 'archive_audit_logs',
    to: 'R2',
    lengths: { event_data: 200 },
    rows: { a_day: 500, days: 380 },
  },
  grade_changes: {
    per: 'write',
    row: 'change of a grade, or of its posted state',
    kept: '365 to 395 days',
    leaves: 'archive_audit_logs',
    to: 'R2',
    rows: { a_day: 30_000, days: 380 },
  },
  idempotency_keys: {
    per: 'write',
    row: 'write with a key',
    kept: 'two days',
    leaves: 'delete_old_idempotency_keys',
    rows: { a_day: 100_000, days: 2 },
  },
  log_marks: {
    per: 'second',
    row: 'second in which something changed',
    kept: '15 months',
    leaves: 'delete_old_log_marks',
    rows: { a_day: 30_000, days: 456 },
  },
  masquerades: { per: 'write', row: 'change made while masquerading', kept: '365 to 395 days', leaves: 'archive_audit_logs', to: 'R2' },
  page_view_intakes: fixed('the batches of page views that were taken in last'),
  page_view_tallies: {
    per: 'hour',
    row: '4,000 counts of page views at most',
    kept: 'until they are added to the counters, four hours at most',
    leaves: 'count_page_views',
    lengths: { entries: 60_000 },
    rows: { a_day: 3000, days: 0.2 },
  },
  page_view_objects: {
    per: 'second',
    row: 'object in R2 with page views of some users',
    kept: '60 days',
    leaves: 'delete_old_page_views',
    rows: { a_day: 100, days: 60 },
  },
  page_view_queries: perJob('query for page views', { kept: 'one day', leaves: 'delete_old_page_view_queries' }),
  page_view_runs: {
    per: 'second',
    row: 'run of page views, merged until it is a day',
    kept: '60 days',
    leaves: 'delete_old_page_views',
    rows: { in_all: 150 },
  },
  page_views: { per: 'service', row: 'page view of an earlier version', kept: 'until it is in R2', leaves: 'move_page_views', to: 'R2' },
  request_counts: {
    per: 'hour',
    row: 'route and kind of response',
    kept: 'two days',
    leaves: 'delete_old_request_counts',
    rows: { a_day: 12_000, days: 2 },
  },
};
