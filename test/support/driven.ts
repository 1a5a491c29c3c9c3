// The operations on courses, groups, content, communication and calendar: unmodified Canvas clients call them in test/clients.

/** The subject follows the context: `/api/v1/courses/:course_id/pages` is about pages. */
const subjects = new Set(
  `activity_stream announcements appointment_groups blueprint_subscriptions blueprint_templates bookmarks bulk_enrollment bulk_user_progress
  calendar_events collaborations conferences content_licenses content_share_users conversations course_copy course_nicknames courses crosslist
  dashboard discussion_topics effective_due_dates enrollments external_feeds favorites feeds file_contents files files_api folders front_page
  group_categories groups images invite memberships missing_submissions module_item_redirect module_item_sequence modules pages permissions planner
  planner_notes potential_collaborators preview_html progress recent_students reset_content search search_users sections settings smartsearch
  student_view student_view_student students tabs temporary_enrollment_status todo todo_item_count upcoming_events usage_rights users`.split(
    /\s+/,
  ),
);

const contexts = /^(?:\/api\/v1)?\/(courses|course|groups|sections|users|accounts)(?:\/(?::[a-z_]+|self))?(?:\/|$)/;

/** Other subjects whose paths begin with one of these words. */
const others =
  /\/(assignments|submissions|audit|features|blackout_dates)(\/|$)|^\/api\/v1\/(accounts|users)\/:[a-z_]+\/(users|permissions|settings)|^\/api\/v1\/(accounts|users)(\/:[a-z_]+)?$|^\/api\/v1\/(settings|accounts\/search)|^\/api\/v1\/users\/(reset_password|:source)/;

/** Whether the client tests must have called it. @param address with parameters named */
export function isDriven(address: string): boolean {
  if (others.test(address)) return false;
  const context = contexts.exec(address);
  const subject = (context ? address.slice(context[0].length) : address.replace('/api/v1', '').slice(1)).split('/')[0] ?? '';
  return subjects.has(subject === '' || subject.startsWith(':') ? (context?.[1] ?? '') : subject);
}
