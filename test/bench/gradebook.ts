// The gradebook of a large course, opened from the local store: all results, totals and unsent grades, without a server.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Outbox } from '@carrel/desktop/engine/outbox/outbox';
import { Cache } from '@carrel/desktop/engine/store/cache';
import { chooseGraded } from '@carrel/desktop/engine/store/kept_choices';
import { UserStore } from '@carrel/desktop/engine/store/user';
import { gradebookView } from '@carrel/desktop/engine/views/gradebook';
import { gradingView } from '@carrel/desktop/engine/views/grading';
import type { Change } from '@carrel/shared/sync/protocol';
import { scratchFolder } from './scratch';
import { median, type Table } from './table';

const students = 500;
const assignments = 200;
const me = 1;
const course_id = 7;
const rounds = 9;
const now = () => new Date('2026-11-20T12:00:00Z');

const upsert = (kind: Change['kind'], id: number, resource: Record<string, unknown>): Change => ({
  kind,
  id,
  op: 'upsert',
  course_id,
  resource,
});

const submissionId = (assignment: number, user: number): number => assignment * 2 ** 26 + user;

/** Most results are graded, some are waiting, some late or excused; each with a text of a few hundred words. */
function* courseOf(): Generator<Change> {
  yield upsert('course', course_id, { id: course_id, name: 'Physics', apply_assignment_group_weights: true });
  yield upsert('enrollment', 1, { id: 1, user_id: me, course_id, type: 'TeacherEnrollment' });
  for (let id = 1; id <= 4; id++)
    yield upsert('assignment_group', id, { id, name: `Part ${id}`, position: id, group_weight: 25, rules: { drop_lowest: 1 } });
  for (let id = 1; id <= assignments; id++)
    yield upsert('assignment', id, {
      id,
      course_id,
      name: `Assignment ${id}`,
      points_possible: 10,
      grading_type: 'points',
      assignment_group_id: 1 + (id % 4),
      position: id,
      published: true,
      due_at: '2026-11-01T12:00:00Z',
      submission_types: ['online_text_entry'],
    });
  for (let user_id = 100; user_id < 100 + students; user_id++) {
    const user = { id: user_id, name: `Student ${user_id}`, sortable_name: `${user_id}, Student` };
    yield upsert('enrollment', user_id, {
      id: user_id,
      user_id,
      course_id,
      type: 'StudentEnrollment',
      enrollment_state: 'active',
      course_section_id: 1 + (user_id % 5),
      user,
    });
    for (let assignment_id = 1; assignment_id <= assignments; assignment_id++) {
      const nth = user_id * 7 + assignment_id * 13;
      const isGraded = nth % 10 !== 0;
      const id = submissionId(assignment_id, user_id);
      yield upsert('submission', id, {
        id,
        user_id,
        assignment_id,
        attempt: 1,
        submission_type: 'online_text_entry',
        submitted_at: '2026-11-01T10:00:00Z',
        workflow_state: isGraded ? 'graded' : 'submitted',
        score: isGraded ? nth % 11 : null,
        grade: isGraded ? `${nth % 11}` : null,
        late: nth % 17 === 0,
        excused: nth % 97 === 0,
        posted_at: isGraded ? '2026-11-03T10:00:00Z' : null,
        version: `v${nth}`,
        submission_history: [{ attempt: 1, submission_type: 'online_text_entry', body: `<p>${'word '.repeat(200)}</p>` }],
        submission_comments: [],
      });
    }
  }
}

interface Timed<T> {
  readonly milliseconds: number;
  /** Of the processor, which other programs on the machine do not lengthen. */
  readonly used: number;
  readonly last: T;
}

function timed<T>(work: (nth: number) => T): Timed<T> {
  const [times, uses]: [number[], number[]] = [[], []];
  let last = work(0);
  for (let nth = 1; nth <= rounds; nth++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    last = work(nth);
    times.push(performance.now() - start);
    uses.push(process.cpuUsage(before).user / 1000);
  }
  return { milliseconds: median(times), used: median(uses), last };
}

export async function gradebookTables(): Promise<Table[]> {
  const folder = scratchFolder();
  const cache = new Cache(join(folder, 'cache.db'));
  const user = new UserStore(join(folder, 'user.db'), now);
  try {
    cache.owner = me;
    cache.graded = new Set([course_id]);
    const [before, usage] = [performance.now(), process.cpuUsage()];
    let page: Change[] = [];
    let cursor = 0;
    const apply = (has_more: boolean): void => {
      cache.apply({ epoch: 'one', cursor: `${++cursor}`, has_more, changes: page });
      page = [];
    };
    for (const change of courseOf()) if (page.push(change) === 1000) apply(true);
    apply(false);
    const [stored, used] = [performance.now() - before, process.cpuUsage(usage).user / 1000];
    chooseGraded(user, course_id, true);
    cache.note('graded courses', JSON.stringify([course_id]));
    const outbox = new Outbox(user, now);
    const here = { cache, user, outbox, now, signedIn: { url: 'http://127.0.0.1', user_id: me } };
    // After a change of the server everything is read again; after a grade that was entered here, the cells are still in memory.
    const touched = { kind: 'enrollment', id: 100, op: 'delete' } as const;
    const opened = timed((nth) => {
      cache.apply({ epoch: 'one', cursor: `again ${nth}`, has_more: false, changes: [touched] });
      return gradebookView(here, course_id);
    });
    const again = timed(() => gradebookView(here, course_id));
    const { length = 0 } = opened.last?.cells ?? [];
    const json = timed(() => JSON.stringify(opened.last).length);
    const next = timed((nth) => gradingView(here, { course_id, assignment_id: 5, user_id: 100 + nth }));
    return [
      {
        title: `The gradebook of ${students} students × ${assignments} assignments, from the local store`,
        columns: ['step', 'milliseconds', 'of the processor'],
        rows: [
          ['open the gradebook', opened.milliseconds, opened.used],
          ['open it again', again.milliseconds, again.used],
          ['turn it into JSON for the screen', json.milliseconds, json.used],
          ['the next student in the grading view', next.milliseconds, next.used],
          ['store all submissions, first sync', stored, used],
        ],
        notes: [
          `${length.toLocaleString('en-US')} results, ${(json.last / 1e6).toFixed(0)} MB of JSON. Medians of ${rounds}.`,
          'Aims: 300 ms to open, 50 ms for the next student.',
        ],
        only: 'gradebook',
        ...(length < (students * assignments) / 2 && { wrong: `only ${length} results were found` }),
      },
    ];
  } finally {
    cache.close();
    user.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
