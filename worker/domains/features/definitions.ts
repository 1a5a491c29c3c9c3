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

/** Names as Canvas clients know them. They have no effect in the service itself, and tell clients what to show. */
const table = {
  account_level_mastery_scales: {
    display_name: 'Mastery scales of accounts',
    description: 'Accounts keep one scale for all outcomes instead of one for each.',
    applies_to: 'RootAccount',
    state: 'allowed',
    root_opt_in: true,
    warning: 'Scales of accounts are no longer used for grading.',
  },
  allow_opt_out_of_inbox: {
    display_name: 'Leaving the inbox',
    description: 'People may switch off that conversations are announced to them.',
    applies_to: 'RootAccount',
    state: 'allowed',
  },
  anonymous_instructor_annotations: {
    display_name: 'Annotations without names',
    description: 'What graders write into a document shows no name to students.',
    applies_to: 'Course',
    state: 'allowed',
  },
  anonymous_marking: {
    display_name: 'Anonymous grading',
    description: 'Assignments may be graded without seeing whose work it is.',
    applies_to: 'Course',
    state: 'allowed',
  },
  assignments_2_student: {
    display_name: 'Assignment enhancements',
    description: 'Students see the newer page of an assignment.',
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
    description: 'Pages are put together of blocks.',
    applies_to: 'Course',
    state: 'hidden',
    beta: true,
  },
  course_paces: {
    display_name: 'Course pacing',
    description: 'Due dates follow from when each student begins.',
    applies_to: 'Course',
    state: 'allowed',
    root_opt_in: true,
    beta: true,
  },
  create_course_subaccount_picker: {
    display_name: 'Choosing the account of a new course',
    description: 'Whoever creates a course chooses the account that it belongs to.',
    applies_to: 'RootAccount',
    state: 'allowed',
    environment: true,
  },
  disable_alert_timeouts: {
    display_name: 'Messages stay',
    description: 'Short messages stay until they are dismissed.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  disable_celebrations: {
    display_name: 'No celebrations',
    description: 'Nothing flies over the screen when work is handed in.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  disable_keyboard_shortcuts: {
    display_name: 'No keyboard shortcuts',
    description: 'Single keys do nothing.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  discussion_checkpoints: {
    display_name: 'Checkpoints of discussions',
    description: 'A graded discussion has a date for the first contribution and one for replies.',
    applies_to: 'Account',
    state: 'allowed',
    root_opt_in: true,
  },
  epub_export: {
    display_name: 'Courses as e-books',
    description: 'Students may take a course away as an e-book.',
    applies_to: 'Course',
    state: 'allowed',
  },
  final_grades_override: {
    display_name: 'Overriding final grades',
    description: 'Teachers may give a final grade that differs from the computed one.',
    applies_to: 'Course',
    state: 'allowed',
    warning: 'Grades that were given over computed ones are no longer shown.',
  },
  filter_speed_grader_by_student_group: {
    display_name: 'Grading by group',
    description: 'Graders of large courses load one group at a time.',
    applies_to: 'Course',
    state: 'allowed',
  },
  high_contrast: {
    display_name: 'High contrast',
    description: 'Stronger colours for texts and buttons.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  instui_nav: {
    display_name: 'New navigation',
    description: 'The newer bar of places on the left.',
    applies_to: 'RootAccount',
    state: 'allowed',
    environment: true,
  },
  lti_registrations_page: {
    display_name: 'Page of installed tools',
    description: 'External tools are managed on a page of their own.',
    applies_to: 'RootAccount',
    state: 'hidden',
    environment: true,
  },
  mastery_paths: {
    display_name: 'Mastery paths',
    description: 'What a student is to do next follows from how they did.',
    applies_to: 'Course',
    state: 'off',
  },
  microsoft_group_enrollments_syncing: {
    display_name: 'Groups of Microsoft',
    description: 'Enrollments are copied to groups of Microsoft.',
    applies_to: 'RootAccount',
    state: 'allowed',
    root_opt_in: true,
  },
  mobile_offline_mode: {
    display_name: 'Offline courses',
    description: 'Apps may keep courses to read them without a network.',
    applies_to: 'RootAccount',
    state: 'allowed_on',
    environment: true,
  },
  moderated_grading: {
    display_name: 'Moderated grading',
    description: 'Several graders grade, and one of them decides.',
    applies_to: 'Course',
    state: 'allowed',
  },
  new_gradebook: {
    display_name: 'New gradebook',
    description: 'The gradebook with policies for late and missing work.',
    applies_to: 'Course',
    state: 'on',
  },
  outcome_gradebook: {
    display_name: 'Learning mastery gradebook',
    description: 'Teachers see how far each student has come with each outcome.',
    applies_to: 'Course',
    state: 'allowed',
  },
  quizzes_next: {
    display_name: 'New quizzes',
    description: 'Quizzes of the second generation.',
    applies_to: 'Course',
    state: 'allowed',
    root_opt_in: true,
  },
  react_discussions_post: {
    display_name: 'New discussions and announcements',
    description: 'Clients show the newer page of a discussion.',
    applies_to: 'Course',
    state: 'allowed_on',
  },
  restrict_quantitative_data: {
    display_name: 'Letters instead of points',
    description: 'Courses may hide points and percentages from students.',
    applies_to: 'Account',
    state: 'allowed',
    root_opt_in: true,
  },
  slack_notifications: {
    display_name: 'Notifications over Slack',
    description: 'People may add Slack to where they are written to.',
    applies_to: 'RootAccount',
    state: 'hidden',
  },
  smart_search: {
    display_name: 'Search by meaning',
    description: 'Courses are searched for what is meant.',
    applies_to: 'Course',
    state: 'allowed',
    root_opt_in: true,
    beta: true,
  },
  student_outcome_gradebook: {
    display_name: 'Learning mastery for students',
    description: 'Students see how far they have come with each outcome.',
    applies_to: 'Course',
    state: 'allowed',
  },
  underline_all_links: {
    display_name: 'Underline links',
    description: 'Every link is underlined.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
  usage_rights_discussion_topics: {
    display_name: 'Usage rights in discussions',
    description: 'Files of discussions need usage rights, as others do.',
    applies_to: 'Course',
    state: 'allowed',
    stays: 'Files of discussions carry usage rights from now on.',
  },
  use_dyslexic_font: {
    display_name: 'A font for dyslexia',
    description: 'Texts are set in a font that is easier to tell apart.',
    applies_to: 'User',
    state: 'allowed',
    type: 'setting',
  },
} as const satisfies Record<string, Definition>;

export const definitions: ReadonlyMap<string, Definition> = new Map(Object.entries(table));
