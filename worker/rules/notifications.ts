// Notifications by category, and the default frequency of each category. Data only.

export const frequencies = ['immediately', 'daily', 'weekly', 'never'] as const;
export type NotificationFrequency = (typeof frequencies)[number];

interface Category {
  readonly frequency: NotificationFrequency;
  readonly notifications: readonly string[];
}

export const categories = {
  announcement: { frequency: 'immediately', notifications: ['new_announcement'] },
  announcement_created_by_you: { frequency: 'never', notifications: ['announcement_created_by_you'] },
  announcement_reply: { frequency: 'never', notifications: ['announcement_reply'] },
  course_content: { frequency: 'never', notifications: ['new_wiki_page', 'updated_wiki_page', 'assignment_changed'] },
  files: { frequency: 'never', notifications: ['new_file_added', 'new_files_added'] },
  discussion: { frequency: 'never', notifications: ['new_discussion_topic'] },
  discussion_entry: { frequency: 'daily', notifications: ['new_discussion_entry', 'reported_reply'] },
  discussion_mention: { frequency: 'immediately', notifications: ['discussion_mention'] },
  due_date: {
    frequency: 'weekly',
    notifications: [
      'assignment_created',
      'assignment_due_date_changed',
      'assignment_due_date_override_changed',
      'upcoming_assignment_alert',
    ],
  },
  grading: {
    frequency: 'immediately',
    notifications: [
      'assignment_graded',
      'submission_graded',
      'submission_grade_changed',
      'submission_posted',
      'submissions_posted',
      'quiz_regrade_finished',
    ],
  },
  grading_policies: { frequency: 'never', notifications: ['grade_weight_changed'] },
  late_grading: { frequency: 'daily', notifications: ['assignment_submitted_late', 'group_assignment_submitted_late'] },
  all_submissions: { frequency: 'never', notifications: ['assignment_submitted', 'assignment_resubmitted'] },
  submission_comment: {
    frequency: 'daily',
    notifications: ['submission_comment', 'submission_comment_for_teacher', 'annotation_notification'],
  },
  invitation: {
    frequency: 'immediately',
    notifications: [
      'collaboration_invitation',
      'web_conference_invitation',
      'peer_review_invitation',
      'rubric_assessment_submission_reminder',
    ],
  },
  membership_update: {
    frequency: 'daily',
    notifications: ['group_membership_accepted', 'group_membership_rejected', 'new_context_group_membership'],
  },
  other: {
    frequency: 'daily',
    notifications: ['report_generated', 'report_generation_failed', 'new_teacher_registration', 'new_student_organized_group'],
  },
  registration: {
    frequency: 'immediately',
    notifications: [
      'account_user_notification',
      'account_user_registration',
      'confirm_email_communication_channel',
      'confirm_registration',
      'confirm_sms_communication_channel',
      'enrollment_accepted',
      'enrollment_invitation',
      'enrollment_notification',
      'enrollment_registration',
      'forgot_password',
      'merge_email_communication_channel',
      'pseudonym_registration',
    ],
  },
  calendar: { frequency: 'never', notifications: ['new_event_created', 'event_date_changed'] },
  student_appointment_signups: { frequency: 'never', notifications: ['appointment_reserved_by_user', 'appointment_canceled_by_user'] },
  appointment_availability: { frequency: 'immediately', notifications: ['appointment_group_published', 'appointment_group_updated'] },
  appointment_signups: { frequency: 'immediately', notifications: ['appointment_reserved_for_user'] },
  appointment_cancelations: { frequency: 'immediately', notifications: ['appointment_deleted_for_user', 'appointment_group_deleted'] },
  added_to_conversation: { frequency: 'immediately', notifications: ['added_to_conversation'] },
  conversation_message: { frequency: 'immediately', notifications: ['conversation_message'] },
  conversation_created: { frequency: 'never', notifications: ['conversation_created'] },
  recording_ready: { frequency: 'immediately', notifications: ['web_conference_recording_ready'] },
  migration: {
    frequency: 'immediately',
    notifications: ['migration_export_ready', 'migration_import_failed', 'migration_import_finished', 'webhook_subscription_paused'],
  },
  content_link_error: { frequency: 'daily', notifications: ['content_link_error'] },
  account_notification: { frequency: 'immediately', notifications: ['account_notification'] },
  blueprint: { frequency: 'immediately', notifications: ['blueprint_content_added', 'blueprint_sync_complete'] },
} as const satisfies Record<string, Category>;

export type CategoryName = keyof typeof categories;

const categoryOf = new Map(
  Object.entries<Category>(categories).flatMap(([category, { notifications }]) =>
    notifications.map((one) => [one, category as CategoryName]),
  ),
);

/** Every notification with its category, in table order. */
export const notifications: ReadonlyMap<string, CategoryName> = categoryOf;

/** The frequency of a notification on a channel, from the user's preferences. */
export function frequencyOf(notification: string, chosen: ReadonlyMap<string, NotificationFrequency>): NotificationFrequency {
  const category = categoryOf.get(notification);
  return chosen.get(notification) ?? (category ? categories[category].frequency : 'never');
}

/** When staged messages are sent: in the evening (UTC); weekly ones on Saturday. */
export function dueAt(frequency: 'daily' | 'weekly', now: string): string {
  const evening = 18;
  const at = new Date(now);
  const due = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), evening));
  if (due <= at) due.setUTCDate(due.getUTCDate() + 1);
  if (frequency === 'weekly') due.setUTCDate(due.getUTCDate() + ((6 - due.getUTCDay() + 7) % 7));
  return `${due.toISOString().slice(0, 19)}Z`;
}
