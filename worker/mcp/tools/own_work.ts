// Tools about the caller's own work: what is due, what has changed, grades, and handing in.

import { assignmentId, courseId, declareToolsFrom } from '@carrel/shared/assistants/tool';
import { type Rest, RestRefusal, readable } from '../ask';

const tool = declareToolsFrom<Rest>();

interface Planned {
  readonly course_id?: number;
  readonly context_name?: string;
  readonly plannable_type: string;
  readonly plannable_id: number;
  readonly plannable_date: string | null;
  readonly plannable: { readonly title?: string; readonly name?: string; readonly points_possible?: number | null };
  readonly submissions: false | Readonly<Record<string, unknown>>;
}

const day = 86_400_000;
const date = (after: number) => new Date(Date.now() + after * day).toISOString();

const whatsDue = tool(
  'whats_due',
  {
    title: 'What is due',
    description:
      "Assignments, quizzes, discussions, events and notes in the user's planner, in order of their dates, with what was handed in.",
    properties: {
      days: { type: 'integer', description: 'How many days ahead; 14 if not given', minimum: 1, maximum: 120 },
      past_days: { type: 'integer', description: 'How many days back; 0 if not given', minimum: 0, maximum: 120 },
    },
    required: [],
  },
  async ({ days = 14, past_days = 0 }, rest) => {
    const items = await rest.get<Planned[]>('/planner/items', { start_date: date(-past_days), end_date: date(days), per_page: 100 });
    return {
      items: items.map((one) => ({
        course_id: one.course_id,
        course: one.context_name,
        type: one.plannable_type,
        id: one.plannable_id,
        title: one.plannable.title ?? one.plannable.name,
        at: one.plannable_date,
        points_possible: one.plannable.points_possible,
        submission: one.submissions,
      })),
    };
  },
);

interface StreamItem {
  readonly type: string;
  readonly title: string | null;
  readonly message: string | null;
  readonly course_id?: number;
  readonly updated_at: string;
  readonly read_state: boolean;
  readonly html_url?: string;
}

const whatChanged = tool(
  'what_changed',
  {
    title: 'What has changed',
    description: 'The newest announcements, replies, messages and grades of all courses, newest first.',
    properties: { only_unread: { type: 'boolean', description: 'Only what the user has not read' } },
    required: [],
  },
  async ({ only_unread = false }, rest) => {
    const items = await rest.get<StreamItem[]>('/users/self/activity_stream', { per_page: 50 });
    return {
      items: items
        .filter(({ read_state }) => !only_unread || !read_state)
        .map(({ type, title, message, course_id, updated_at, read_state, html_url }) => ({
          type,
          title,
          course_id,
          updated_at,
          read: read_state,
          text: readable(message, 1000),
          html_url,
        })),
    };
  },
);

interface Graded {
  readonly course_id: number;
  readonly type: string;
  readonly grades?: Readonly<Record<string, unknown>>;
}

interface OwnSubmission {
  readonly assignment_id: number;
  readonly score: number | null;
  readonly grade: string | null;
  readonly workflow_state: string;
  readonly submitted_at: string | null;
  readonly late: boolean;
  readonly missing: boolean;
  readonly excused: boolean | null;
  readonly assignment?: { readonly name: string; readonly points_possible: number | null };
  readonly submission_comments?: readonly { readonly author_name?: string; readonly comment: string; readonly created_at: string }[];
}

const myGrades = tool(
  'my_grades',
  {
    title: "The user's grades",
    description: 'Without a course, the total of each course; with one, the score, grade and comments of every assignment in it.',
    properties: { course_id: courseId },
    required: [],
  },
  async ({ course_id }, rest) => {
    if (course_id === undefined) {
      const enrollments = await rest.get<Graded[]>('/users/self/enrollments', { 'type[]': ['StudentEnrollment'], per_page: 100 });
      return { courses: enrollments.map(({ course_id: id, grades }) => ({ course_id: id, grades })) };
    }
    const submissions = await rest.get<OwnSubmission[]>(`/courses/${course_id}/students/submissions`, {
      'student_ids[]': ['self'],
      'include[]': ['assignment', 'submission_comments'],
      per_page: 100,
    });
    return {
      assignments: submissions.map((one) => ({
        assignment_id: one.assignment_id,
        name: one.assignment?.name,
        points_possible: one.assignment?.points_possible,
        score: one.score,
        grade: one.grade,
        state: one.workflow_state,
        submitted_at: one.submitted_at,
        late: one.late,
        missing: one.missing,
        excused: one.excused,
        comments: one.submission_comments?.map(({ author_name, comment, created_at }) => ({ author: author_name, comment, created_at })),
      })),
    };
  },
);

const handIn = tool(
  'hand_in',
  {
    title: 'Hand in work',
    description:
      "Hands in a text or a web address for an assignment of the user. Without `confirmed: true` nothing is sent, and the result shows what would be. Ask the user before confirming: what is handed in counts as the user's own work, and attempts may be limited.",
    writes: true,
    properties: {
      course_id: courseId,
      assignment_id: assignmentId,
      text: { type: 'string', description: 'The work as text or HTML' },
      url: { type: 'string', description: 'A web address, for assignments that take one' },
      confirmed: { type: 'boolean', description: 'The user has seen exactly this and agrees to hand it in' },
    },
    required: ['course_id', 'assignment_id'],
  },
  async ({ course_id, assignment_id, text, url, confirmed = false }, rest) => {
    if ((text === undefined) === (url === undefined)) throw new RestRefusal(400, 'Give either text or url');
    const submission = text === undefined ? { submission_type: 'online_url', url } : { submission_type: 'online_text_entry', body: text };
    const address = `/courses/${course_id}/assignments/${assignment_id}`;
    if (!confirmed) {
      const { name, due_at, allowed_attempts } = await rest.get<Record<string, unknown>>(address);
      return { handed_in: false, would_hand_in: submission, assignment: { name, due_at, allowed_attempts } };
    }
    const { id, attempt, submitted_at, late } = await rest.send<Record<string, unknown>>('POST', `${address}/submissions`, { submission });
    return { handed_in: true, submission: { id, attempt, submitted_at, late } };
  },
);

export const ownWorkTools = [whatsDue, whatChanged, myGrades, handIn];
