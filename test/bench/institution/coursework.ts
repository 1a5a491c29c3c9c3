// Assignments, submissions, pages, topics and modules.

import { day, type Filling, fixedTime, lorem, stamps } from './bulk';

/** Every module has alternating pages and assignments. */
export async function fillCoursework({
  band: { courses, each },
  insert,
  from,
  of,
  inCourse,
  teacherOf,
  studentOf,
  uuid,
}: Filling): Promise<void> {
  await insert({
    table: 'assignments',
    count: courses * each.assignments,
    columns: {
      course_id: of(each.assignments),
      assignment_group_id: `(${from('assignment_groups')} + n / ${each.assignments})`,
      name: `'Assignment ' || (n % ${each.assignments})`,
      description: lorem,
      position: `1 + n % ${each.assignments}`,
      points_possible: '10',
      submission_types: `'["online_text_entry"]'`,
      due_at: day('n'),
      lti_context_id: uuid('lti'),
      workflow_state: "'published'",
      ...stamps,
    },
  });
  // The first student of each course has submitted half of the assignments.
  const handed = Math.max(1, Math.floor(each.assignments / 2));
  const assignment = `(${from('assignments')} + n / ${handed} * ${each.assignments} + n % ${handed})`;
  await insert({
    table: 'submissions',
    count: courses * handed,
    hasId: false,
    columns: {
      id: `${assignment} * 67108864 + ${studentOf(handed)}`,
      course_id: of(handed),
      assignment_id: assignment,
      user_id: studentOf(handed),
      attempt: '1',
      submission_type: "'online_text_entry'",
      body: "'<p>Mine.</p>'",
      submitted_at: fixedTime,
      score: '8',
      grade: "'8'",
      graded_attempt: '1',
      graded_at: fixedTime,
      posted_at: fixedTime,
      grader_id: teacherOf(handed),
      workflow_state: "'graded'",
      ...stamps,
    },
  });
  await insert({
    table: 'pages',
    count: courses * each.pages,
    columns: {
      ...inCourse(each.pages),
      url: `'page-' || (n % ${each.pages})`,
      title: `'Page ' || (n % ${each.pages})`,
      body: lorem,
      editing_roles: "'teachers'",
      front_page: `n % ${each.pages} = 0`,
      todo_date: day('n'),
      workflow_state: "'active'",
      ...stamps,
    },
  });
  await insert({
    table: 'page_revisions',
    count: courses * each.pages,
    columns: {
      page_id: `(${from('pages')} + n)`,
      revision_id: '1',
      url: `'page-' || (n % ${each.pages})`,
      title: `'Page ' || (n % ${each.pages})`,
      body: lorem,
      updated_at: fixedTime,
    },
  });
  await insert({
    table: 'discussion_topics',
    count: courses * each.topics,
    columns: {
      ...inCourse(each.topics),
      title: `'Topic ' || (n % ${each.topics})`,
      message: lorem,
      user_id: teacherOf(each.topics),
      is_announcement: 'n % 2',
      position: `n % ${each.topics}`,
      posted_at: day('n', '10'),
      last_reply_at: day('n', '10'),
      entry_count: `${each.entries}`,
      workflow_state: "'active'",
      ...stamps,
    },
  });
  await insert({
    table: 'discussion_entries',
    count: courses * each.topics * each.entries,
    columns: {
      discussion_topic_id: `(${from('discussion_topics')} + n / ${each.entries})`,
      user_id: studentOf(each.topics * each.entries),
      message: "'<p>I think so too.</p>'",
      ...stamps,
    },
  });
  await insert({
    table: 'modules',
    count: courses * each.modules,
    columns: {
      course_id: of(each.modules),
      name: `'Week ' || (n % ${each.modules})`,
      position: `1 + n % ${each.modules}`,
      workflow_state: "'active'",
      ...stamps,
    },
  });
  const items = each.modules * each.items;
  const item = (first: number, k: number) => `${first} + n / ${items} * ${k} + n % ${items} / 2 % ${k}`;
  await insert({
    table: 'module_items',
    count: courses * items,
    columns: {
      course_id: of(items),
      module_id: `(${from('modules')} + n / ${each.items})`,
      position: `1 + n % ${each.items}`,
      title: `'Item ' || (n % ${items})`,
      type: `case n % 2 when 0 then 'Page' else 'Assignment' end`,
      content_id: `case n % 2 when 0 then ${item(from('pages'), each.pages)} else ${item(from('assignments'), each.assignments)} end`,
      requirement_type: `case n % 2 when 0 then 'must_view' end`,
      published: '1',
      ...stamps,
    },
  });
  await insert({
    table: 'module_progressions',
    count: courses * each.modules,
    hasId: false,
    columns: {
      module_id: `(${from('modules')} + n)`,
      user_id: studentOf(each.modules),
      course_id: of(each.modules),
      state: "'unlocked'",
      updated_at: fixedTime,
    },
  });
}
