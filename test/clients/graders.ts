// What a term of grading needs of a client, by the names of the tools of canvas-lms-mcp: through its MCP server, or canvas-api-wrapper.

import { existsSync } from 'node:fs';
import wrapper from 'canvas-api-wrapper';
import { inject } from 'vitest';
import type { Person } from '../support/ground';
import type { AnyJson } from './at';
import { openMcpSession } from './mcp_host';

type Caller = Pick<Person, 'token'>;
type Args = Readonly<Record<string, AnyJson>>;

/** The requests of a user through canvas-api-wrapper, whose token is global and is read when a request starts. */
export function wrapperFor({ token }: Caller) {
  const mine = () => {
    wrapper.baseUrl = inject('started').url;
    wrapper.minSendInterval = 0;
    wrapper.apiToken = token;
    return wrapper;
  };
  return {
    get: (path: string, query?: object): Promise<AnyJson> => mine().get(`/api/v1/${path}`, query),
    post: (path: string, body: object = {}): Promise<AnyJson> => mine().post(`/api/v1/${path}`, body),
    put: (path: string, body: object = {}): Promise<AnyJson> => mine().put(`/api/v1/${path}`, body),
    course: (id: number) => mine().getCourse(id),
    /** Waits for a Progress or a report. */
    async ended(path: string): Promise<AnyJson> {
      for (let tries = 0; tries < 200; tries += 1) {
        const job = await mine().get(`/api/v1/${path}`);
        if (/^(completed|complete|failed|error)$/.test(job.workflow_state ?? job.status)) return job;
        await new Promise((resume) => setTimeout(resume, 50));
      }
      throw new Error(`${path} does not end`);
    },
  };
}

export interface Hands {
  call(tool: string, given: Args): Promise<AnyJson>;
  end(): void;
}

const here = ({ course_id }: Args) => `courses/${course_id}`;
const work = (given: Args) => `${here(given)}/assignments/${given.assignment_id}`;
const submission = (given: Args) => `${work(given)}/submissions/${given.user_id}`;
const reviews = (given: Args) => `${work(given)}/submissions/${given.submission_id}/peer_reviews`;

type Tool = (client: ReturnType<typeof wrapperFor>, given: Args) => Promise<AnyJson>;

/** The same tools through canvas-api-wrapper: its course and its items where it has them, its requests elsewhere. */
const tools: Readonly<Record<string, Tool>> = {
  create_assignment: (client, { course_id, ...assignment }) => client.course(course_id).assignments.create(assignment),
  create_assignment_override: (client, { course_id, assignment_id, ...assignment_override }) =>
    client.post(`courses/${course_id}/assignments/${assignment_id}/overrides`, { assignment_override }),
  create_rubric: (client, { course_id, association: { assignment_id, ...association }, ...rubric }) =>
    client.post(`courses/${course_id}/rubrics`, {
      rubric,
      rubric_association: { association_id: assignment_id, association_type: 'Assignment', ...association },
    }),
  list_rubrics: (client, given) => client.get(`${here(given)}/rubrics`),
  get_rubric: (client, given) => client.get(`${here(given)}/rubrics/${given.rubric_id}`),
  get_rubric_assessment: (client, given) => client.get(submission(given), { include: ['rubric_assessment'] }),
  submit_assignment: (client, { course_id, assignment_id, comment, ...given }) =>
    client.post(`courses/${course_id}/assignments/${assignment_id}/submissions`, {
      submission: given,
      ...(comment && { comment: { text_comment: comment } }),
    }),
  list_submissions: (client, given) => client.get(`${work(given)}/submissions`, { include: given.include ?? ['submission_comments'] }),
  get_submission: (client, given) => client.get(submission(given), { include: given.include ?? ['submission_comments'] }),
  grade_submission: (client, given) => client.put(submission(given), { submission: { posted_grade: given.grade } }),
  comment_on_submission: (client, given) => client.put(submission(given), { comment: { text_comment: given.comment } }),
  create_peer_review: (client, given) => client.post(reviews(given), { user_id: given.user_id }),
  list_peer_reviews: (client, given) => client.get(`${work(given)}/peer_reviews`),
  get_submission_peer_reviews: (client, given) => client.get(reviews(given)),
  get_my_submissions: (client, given) => client.get(`${here(given)}/students/submissions`, { student_ids: ['self'] }),
  list_gradebook_history_days: (client, given) => client.get(`${here(given)}/gradebook_history/days`),
  get_gradebook_history_day: (client, given) => client.get(`${here(given)}/gradebook_history/${given.date}`),
  list_gradebook_history_submissions: (client, given) =>
    client.get(`${here(given)}/gradebook_history/${given.date}/graders/${given.grader_id}/assignments/${given.assignment_id}/submissions`),
  get_gradebook_history_feed: (client, { course_id, ...query }) => client.get(`courses/${course_id}/gradebook_history/feed`, query),
};

export const throughWrapper = (user: Caller): Promise<Hands> =>
  Promise.resolve({
    call(tool, given) {
      const found = tools[tool];
      if (!found) throw new Error(`canvas-api-wrapper has no part in ${tool}`);
      return found(wrapperFor(user), given);
    },
    end: () => {},
  });

/** The command of the package canvas-lms-mcp, which is not a dependency: the environment names it. */
const program = process.env.CANVAS_LMS_MCP ?? '';
export const hasMcpServer = existsSync(program);

export const throughMcp = ({ token }: Caller): Promise<Hands> =>
  openMcpSession(program, {
    CANVAS_API_TOKEN: token,
    CANVAS_BASE_URL: inject('started').url,
    CANVAS_ENABLE_ASSIGNMENT_SUBMISSION: 'true',
  });
