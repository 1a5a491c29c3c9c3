// Files, events, notes and messages.

import { day, type Filling, fixedTime, stamps } from './bulk';

/** Each student of a course has a conversation with its teacher. */
export async function fillBelongings({
  band: { courses, each },
  insert,
  from,
  of,
  inCourse,
  teacherOf,
  studentOf,
  uuid,
  people,
}: Filling): Promise<void> {
  await insert({
    table: 'folders',
    count: courses * each.folders,
    columns: {
      ...inCourse(each.folders),
      parent_folder_id: `case when n % ${each.folders} > 0 then ${from('folders')} + n / ${each.folders} * ${each.folders} end`,
      name: `case when n % ${each.folders} = 0 then 'course files' else 'Folder ' || (n % ${each.folders}) end`,
      full_name: `case when n % ${each.folders} = 0 then 'course files' else 'course files/Folder ' || (n % ${each.folders}) end`,
      files_count: `${Math.floor(each.files / each.folders)}`,
      folders_count: `case when n % ${each.folders} = 0 then ${each.folders - 1} else 0 end`,
      ...stamps,
    },
  });
  const files = courses * each.files;
  await insert({
    table: 'blobs',
    count: files,
    columns: { key: uuid('blob'), size: '5000', sha256: `printf('%064d', $id)`, created_at: fixedTime },
  });
  await insert({
    table: 'files',
    count: files,
    columns: {
      ...inCourse(each.files),
      folder_id: `(${from('folders')} + n / ${each.files} * ${each.folders} + n % ${each.files} % ${each.folders})`,
      uuid: uuid('file'),
      display_name: `'File ' || (n % ${each.files} * 7919 % 10007) || '.pdf'`,
      filename: `'File_' || (n % ${each.files} * 7919 % 10007) || '.pdf'`,
      content_type: "'application/pdf'",
      size: '5000',
      blob_id: `(${from('blobs')} + n)`,
      user_id: teacherOf(each.files),
      modified_at: fixedTime,
      workflow_state: "'available'",
      ...stamps,
    },
  });
  await insert({
    table: 'storage',
    count: courses,
    hasId: false,
    columns: { ...inCourse(1), bytes: `${5000 * each.files}` },
  });
  await insert({
    table: 'calendar_events',
    count: courses * each.events,
    columns: {
      context_code: `'course_' || ${of(each.events)}`,
      title: `'Lecture ' || (n % ${each.events})`,
      start_at: day('n'),
      end_at: day('n'),
      ...stamps,
    },
  });
  await insert({
    table: 'planner_notes',
    count: courses * people * each.notes,
    columns: { user_id: `(${from('users')} + n / ${each.notes})`, title: `'Note ' || (n % ${each.notes})`, todo_date: day('n'), ...stamps },
  });
  await insert({
    table: 'planner_overrides',
    count: courses,
    columns: {
      user_id: studentOf(1),
      plannable_type: "'assignment'",
      plannable_id: `(${from('assignments')} + n * ${each.assignments})`,
      marked_complete: '1',
      ...stamps,
    },
  });

  // Between the teacher and each student of a course.
  const threads = courses * each.students;
  const student = (n: string) => `(${from('users')} + (${n}) / ${each.students} * ${people} + 1 + (${n}) % ${each.students})`;
  const teacher = (n: string) => `(${from('users')} + (${n}) / ${each.students} * ${people})`;
  const moved = day('n', '10');
  await insert({
    table: 'conversations',
    count: threads,
    columns: {
      uuid: uuid('thread'),
      subject: "'A question'",
      private: '1',
      private_key: `${teacher('n')} || ',' || ${student('n')}`,
      ...stamps,
    },
  });
  for (const [person, state] of [
    [teacher, 'read'],
    [student, 'unread'],
  ] as const)
    await insert({
      table: 'conversation_participants',
      count: threads,
      hasId: false,
      columns: {
        conversation_id: `(${from('conversations')} + n)`,
        user_id: person('n'),
        workflow_state: `'${state}'`,
        message_count: `${each.messages}`,
        last_message: "'Yes.'",
        last_message_at: moved,
        moved_at: moved,
        joined_at: fixedTime,
      },
    });
  const message = from('conversation_messages');
  await insert({
    table: 'conversation_messages',
    count: threads * each.messages,
    columns: {
      conversation_id: `(${from('conversations')} + n / ${each.messages})`,
      position: `1 + n % ${each.messages}`,
      author_id: teacher(`n / ${each.messages}`),
      body: "'Yes, on Monday.'",
      created_at: fixedTime,
    },
  });
  for (const person of [teacher, student])
    await insert({
      table: 'conversation_message_participants',
      count: threads * each.messages,
      hasId: false,
      columns: {
        conversation_message_id: `(${message} + n)`,
        conversation_id: `(${from('conversations')} + n / ${each.messages})`,
        user_id: person(`n / ${each.messages}`),
      },
    });
}
