// A day of a school of 50,000, described: how often each student causes each action on a day of teaching. The measured counts of an action
// (`actions.ts`) times these numbers are the bill. None of these numbers is measured; change them to what is known of a school.

import type { ActionName } from './actions';

export const school = {
  students: 50_000,
  /** Of a month of 30.4 days: 20 with teaching, and 10.4 on which students do 30 % of it. */
  daysOfTeaching: 20 + 10.4 * 0.3,
  daysOfMonth: 30.4,
  /** Students who have the desk installed and running on days of teaching. */
  deskShare: 0.6,
  /** Hours a day in which a desk runs, so that its socket is open. */
  deskHours: 5,
  /** Of 40 simulated students, those whose sockets are open at a time: the desk's share and hours over a day of 12 hours. */
  openSockets: 10,
  /** Seconds between two pings of a desk (`desktop/engine/server/live.ts`). */
  pingSeconds: 45,
  /**
   * Requests a second that one isolate serves. What is written in batches costs less the more requests share a batch. About 4 million requests
   * in 12 hours are 90 a second; nothing is published on how they are spread, and 45 isolates are assumed.
   */
  requestsPerIsolate: 2,
  /** Milliseconds of a D1 trip from an object, which is busy meanwhile; the local database answers within 1 ms. */
  tripFromObject: 20,
  /** Storage grows; the bill is that of the average month of the first year, and nothing is deleted meanwhile. */
  monthsOfGrowth: 6,
  /** Bytes of files for each student when the year begins: 7,500 courses with 150 MB each, and 16 MB of submissions of the year before. */
  filesAtStart: 40_000_000,
  /** `head_sampling_rate` that a school of this size sets (docs/scale.md, "The bill"): Workers Logs of all requests cost more than the requests. */
  logSampling: 0.05,
} as const;

interface Share {
  /** Per student and day of teaching. */
  readonly times: number;
  readonly why: string;
}

const desk = school.deskShare;

export const dayOfSchool: Readonly<Record<Exclude<ActionName, 'tick' | 'feed_changed'>, Share>> = {
  sign_in: { times: 0.2, why: 'a session lasts weeks; shared computers of the library' },
  socket_opened: { times: desk * 2.5, why: 'a laptop is opened two or three times a day' },
  feed_idle: { times: desk * school.deskHours * 2, why: 'the desk asks every half hour while it runs' },
  feed_first: { times: 0.01, why: 'a new device, or a new semester: twice a year, in about two pages' },

  courses: { times: 3, why: 'the dashboard, three visits a day' },
  planner_items: { times: 3, why: 'the dashboard' },
  todo: { times: 2, why: 'the list of tasks, in two of three visits' },
  activity_stream: { times: 1, why: 'the list of news' },
  upcoming_events: { times: 1, why: 'the list of appointments' },
  unread_count: { times: 6, why: 'the badge of the inbox, on most pages' },
  conversations: { times: 1, why: 'the inbox' },
  course: { times: 4, why: 'a course opened' },
  modules: { times: 3, why: 'the start page of most courses' },
  assignments: { times: 2, why: 'the list of assignments with own submissions' },
  assignment_groups: { times: 1, why: 'the list of grades' },
  assignment: { times: 2, why: 'one assignment opened' },
  page_first: { times: 0.5, why: 'a page that a module requires, read for the first time' },
  page: { times: 2.5, why: 'any other page read' },
  announcements: { times: 1, why: 'the list of announcements' },
  topic_view: { times: 1, why: 'a discussion read' },
  files: { times: 0.5, why: 'the list of files' },
  calendar_events: { times: 0.5, why: 'the calendar' },
  file_download: { times: 3, why: 'slides and readings, from web, phone and desk' },

  submit_text: { times: 0.1, why: 'an assignment every five days of teaching, half of them as text' },
  submit_file: { times: 0.1, why: 'and half as a file of 1 MB' },
  grade: { times: 0.2, why: 'each submission is graded once' },
  comment: { times: 0.05, why: 'every fourth submission gets a comment' },
  discussion_entry: { times: 0.15, why: 'one entry in a week and a half' },
  topic_read: { times: 0.5, why: 'a topic marked as read' },
  item_done: { times: 0.4, why: 'module items marked as done' },
  planner_mark: { times: 0.2, why: 'planner items marked as complete' },
  planner_note: { times: 0.05, why: 'own notes' },
  message: { times: 0.1, why: 'a message to a teacher or a student' },
  conversation_read: { times: 0.3, why: 'conversations read' },

  gradebook: { times: 0.05, why: 'teachers: one for 20 students looks at the gradebook once a day' },
  roster: { times: 0.05, why: 'teachers: the list of people' },
  page_edited: { times: 0.02, why: 'teachers: two edits in a course of 40 students in five days' },
  assignment_edited: { times: 0.01, why: 'teachers' },
  announcement: { times: 0.01, why: 'two announcements a week in a course of 40 students' },
  event_created: { times: 0.005, why: 'teachers' },
  teacher_upload: { times: 0.02, why: 'teachers: a file of 1 MB' },
  enrolled: { times: 0.01, why: 'changes of courses at the beginning of a semester, spread over the year' },
};

/** Ticks of the clock a day, whatever the number of students. */
export const ticksOfDay = 1440;
