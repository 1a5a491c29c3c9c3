// Every feature flag: what it applies to, and its default state. Data only.

export type FlagState = 'off' | 'allowed' | 'allowed_on' | 'on';

export interface Definition {
  readonly display_name: string;
  readonly description: string;
  readonly applies_to: 'RootAccount' | 'Account' | 'Course' | 'User';
  /** The default state. `hidden` features are visible only to callers who run the service, until they or the root account set a flag. */
  readonly state: FlagState | 'hidden';
  /** `allowed` counts as off until the root account sets a flag. */
  readonly root_opt_in?: boolean;
  readonly beta?: boolean;
  /** Listed with settings instead of features. */
  readonly type?: 'setting';
  /** Sent to every client as part of its environment. */
  readonly environment?: boolean;
  /** The reason why it cannot be switched off again. */
  readonly stays?: string;
  /** A warning to show before it is switched off. */
  readonly warning?: string;
}

/** Names as Canvas clients know them. Most have no effect in the service itself, and tell clients what to show. */
const table = {
  account_level_mastery_scales: {
    display_name: 'Account mastery scales',
    description: 'Accounts use one scale for all outcomes instead of one per outcome.',
    applies_to: 'RootAccount',
    state: 'allowed',
    root_opt_in: true,
    warning: 'Account scales will no longer be used for grading.',
  },
  allow_opt_out_of_inbox: {
    display_name: 'Inbox opt-out',
    description: 'Users may turn off notifications about conversations.',
    applies_to: 'RootAccount',
    state: 'allowed',
  },
  anonymous_instructor_annotations: {
    display_name: 'Anonymous annotations',
    description: 'Annotations of graders do not show their names to students.',
    applies_to: 'Course',
    state: 'allowed',
  },
  anonymous_marking: {
    display_name: 'Anonymous grading',
    description: 'Assignments may be graded without showing the names of students.',
    applies_to: 'Course',
    state: 'allowed',
  },
  assignments_2_student: {
    display_name: 'Assignment enhancements',
    description: 'Students see the new assignment page.',
    applies_to: 'Course',
    state: 'allowed',
  },
  auto_show_cc: {
    display_name: 'Show captions',
    description: 'Captions of videos are shown from the start.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  block_editor: {
    display_name: 'Block editor',
    description: 'Pages are composed of blocks.',
    applies_to: 'Course',
    state: 'hidden',
    beta: true,
  },
  course_paces: {
    display_name: 'Course pacing',
    description: 'Due dates depend on the start date of each student.',
    applies_to: 'Course',
    state: 'allowed',
    root_opt_in: true,
    beta: true,
  },
  create_course_subaccount_picker: {
    display_name: 'Account selection for new courses',
    description: 'Users select the account when they create a course.',
    applies_to: 'RootAccount',
    state: 'allowed',
    environment: true,
  },
  disable_alert_timeouts: {
    display_name: 'Persistent alerts',
    description: 'Alerts stay until they are dismissed.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  disable_celebrations: {
    display_name: 'No celebrations',
    description: 'No animation is shown after a submission.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  disable_keyboard_shortcuts: {
    display_name: 'No keyboard shortcuts',
    description: 'Single-key shortcuts are turned off.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  discussion_checkpoints: {
    display_name: 'Discussion checkpoints',
    description: 'Graded discussions have one due date for the first post and one for replies.',
    applies_to: 'Account',
    state: 'allowed',
    root_opt_in: true,
  },
  epub_export: {
    display_name: 'Courses as e-books',
    description: 'Students may download a course as an e-book.',
    applies_to: 'Course',
    state: 'allowed_on',
  },
  final_grades_override: {
    display_name: 'Final grade override',
    description: 'Teachers may give a final grade that differs from the computed one.',
    applies_to: 'Course',
    state: 'allowed',
    warning: 'Overridden grades will no longer be shown.',
  },
  filter_speed_grader_by_student_group: {
    display_name: 'Grading by group',
    description: 'SpeedGrader loads one student group at a time in large courses.',
    applies_to: 'Course',
    state: 'allowed',
  },
  high_contrast: {
    display_name: 'High contrast',
    description: 'Stronger colours for text and buttons.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  instui_nav: {
    display_name: 'New navigation',
    description: 'The new navigation bar on the left.',
    applies_to: 'RootAccount',
    state: 'allowed',
    environment: true,
  },
  lti_registrations_page: {
    display_name: 'Installed apps page',
    description: 'External tools are managed on a separate page.',
    applies_to: 'RootAccount',
    state: 'hidden',
    environment: true,
  },
  mastery_paths: {
    display_name: 'Mastery paths',
    description: 'Assignments are given to students based on their scores.',
    applies_to: 'Course',
    state: 'off',
  },
  microsoft_group_enrollments_syncing: {
    display_name: 'Microsoft group sync',
    description: 'Enrollments are copied to Microsoft groups.',
    applies_to: 'RootAccount',
    state: 'allowed',
    root_opt_in: true,
  },
  mobile_offline_mode: {
    display_name: 'Offline courses',
    description: 'Apps may store courses for offline use.',
    applies_to: 'RootAccount',
    state: 'allowed_on',
    environment: true,
  },
  moderated_grading: {
    display_name: 'Moderated grading',
    description: 'Several graders give grades, and a moderator decides.',
    applies_to: 'Course',
    state: 'allowed',
  },
  new_gradebook: {
    display_name: 'New gradebook',
    description: 'The gradebook with policies for late and missing work.',
    applies_to: 'Course',
    state: 'on',
  },
  outcome_extra_credit: {
    display_name: 'Extra credit for outcomes',
    description: 'In rubrics, outcomes may be given more points than their criterion has.',
    applies_to: 'Course',
    state: 'allowed',
  },
  outcome_gradebook: {
    display_name: 'Learning mastery gradebook',
    description: 'Teachers see the progress of each student per outcome.',
    applies_to: 'Course',
    state: 'allowed',
  },
  quizzes_next: {
    display_name: 'New quizzes',
    description: 'The new quiz engine.',
    applies_to: 'Course',
    state: 'allowed',
    root_opt_in: true,
  },
  react_discussions_post: {
    display_name: 'New discussions and announcements',
    description: 'Clients show the new discussion page.',
    applies_to: 'Course',
    state: 'allowed_on',
  },
  restrict_quantitative_data: {
    display_name: 'Letter grades instead of points',
    description: 'Courses may hide points and percentages from students.',
    applies_to: 'Account',
    state: 'allowed',
    root_opt_in: true,
  },
  slack_notifications: {
    display_name: 'Slack notifications',
    description: 'Users may receive notifications through Slack.',
    applies_to: 'RootAccount',
    state: 'hidden',
  },
  smart_search: {
    display_name: 'Smart search',
    description: 'Courses can be searched by meaning.',
    applies_to: 'Course',
    state: 'allowed',
    root_opt_in: true,
    beta: true,
  },
  student_outcome_gradebook: {
    display_name: 'Student learning mastery gradebook',
    description: 'Students see their progress per outcome.',
    applies_to: 'Course',
    state: 'allowed',
  },
  underline_all_links: {
    display_name: 'Underline links',
    description: 'All links are underlined.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  usage_rights_discussion_topics: {
    display_name: 'Usage rights in discussions',
    description: 'Discussion attachments need usage rights, like other files.',
    applies_to: 'Course',
    state: 'allowed',
    stays: 'Discussion attachments already have usage rights.',
  },
  use_dyslexic_font: {
    display_name: 'Dyslexia-friendly font',
    description: 'Text is shown in a font that is easier to read with dyslexia.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
} as const satisfies Record<string, Definition>;

export const definitions: ReadonlyMap<string, Definition> = new Map(Object.entries(table));
