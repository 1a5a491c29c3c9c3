// Submits a file that was fetched from a URL with `submit_assignment`, as of the time of the request, and completes the Progress of the upload.

import { eq, sql } from 'drizzle-orm';
import { Problem } from '../../../http/problem';
import { files } from '../../files/table';
import type { SubmissionOfFile } from '../../files/upload/ticket';
import { inSteps, type SteppedJob } from '../../progress/in_steps';
import { progress } from '../../progress/table';
import { judgeSubmission, submit } from './attempt';
import { readSubmitPrecondition } from './precondition';

const refusal = 'the assignment does not accept the file';

const submittingFetched: SteppedJob = {
  job: 'submit_fetched',
  tag: 'upload_via_url',
  async next(db, { id, created_at, user_id, arguments: given }, now) {
    const { uuid, course_id, assignment_id, student_id } = given as SubmissionOfFile & { readonly uuid: string };
    const [[file]] = await db.perform([db.build.select({ id: files.id }).from(files).where(eq(files.uuid, uuid))]);
    const course = { id: course_id };
    const asked = {
      course,
      assignment: sql`select ${assignment_id}`,
      user: sql`select ${student_id}`,
      fileIds: file ? [file.id] : [],
      forOther: user_id !== student_id,
    };
    const over = (failure?: string) => ({ after: 1, completion: 100, end: { failure } });
    try {
      const ground = await readSubmitPrecondition({ db, now: created_at, me: { id: user_id } }, asked);
      const what = judgeSubmission({ submission_type: 'online_upload' }, ground, { now: created_at, origin: '' });
      const handed = { ...ground, proxy_submitter_id: asked.forOther ? user_id : null };
      const results = db.build
        .update(progress)
        .set({ results: { id: file?.id } })
        .where(eq(progress.id, id));
      return { statements: [...submit({ db, now, course }, handed, what, created_at), results], ...over() };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { statements: [], ...over(refusal) };
    }
  },
};

export const submitFetched = inSteps(submittingFetched);
