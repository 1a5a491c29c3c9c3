// The speed of a SIS import: people, courses and enrollments in one archive, sent and polled over HTTP, then sent once more.

import { zipSync } from 'fflate';
import { groundOf } from '../support/ground';
import { withDatabase } from '../support/server';
import { openHeap } from './heap';
import { build, carrelWorker, startRuntime } from './runtime';
import { runtimeProcess } from './runtime_process';
import { scratchFolder } from './scratch';
import type { Table } from './table';

export interface School {
  readonly users: number;
  readonly courses: number;
  readonly enrollments: number;
  /** Its enrollments are shuffled. */
  readonly isShuffled: boolean;
}

/** A step that visits every place once, each far from the one before. */
const stride = 7_368_787;

const encoder = new TextEncoder();
const lines = (count: number, header: string, line: (n: number) => string): Uint8Array => {
  const parts = [header];
  for (let n = 0; n < count; n += 1) parts.push(line(n));
  return encoder.encode(`${parts.join('\n')}\n`);
};

/** Sorted by course, as student information systems write them, or scattered; each course has one teacher. */
export function schoolArchive({ users, courses, enrollments, isShuffled }: School): Uint8Array {
  const each = Math.ceil(enrollments / courses);
  return zipSync(
    {
      'users.csv': lines(
        users,
        'user_id,login_id,first_name,last_name,email,status',
        (n) => `U${n},user${n},Given${n % 997},Family${n},user${n}@example.edu,active`,
      ),
      'courses.csv': lines(
        courses,
        'course_id,short_name,long_name,account_id,term_id,status',
        (n) => `C${n},C-${n},"Course, number ${n}",,,published`,
      ),
      'sections.csv': lines(courses, 'section_id,course_id,name,status', (n) => `S${n},C${n},Section ${n},active`),
      'enrollments.csv': lines(enrollments, 'course_id,section_id,user_id,role,status', (place) => {
        const n = isShuffled ? (place * stride) % enrollments : place;
        const [course, nth] = [Math.floor(n / each), n % each];
        return `C${course},S${course},U${(course * 37 + nth * 11) % users},${nth === 0 ? 'teacher' : 'student'},active`;
      }),
    },
    { level: 6 },
  );
}

class Watch {
  private readonly timer: NodeJS.Timeout;
  private readonly before = runtimeProcess();
  private readonly memory: number[] = [];
  private readonly heap: number[] = [];

  constructor(heapNow: () => Promise<number>) {
    this.timer = setInterval(async () => {
      this.memory.push(runtimeProcess().megabytes);
      this.heap.push(await heapNow());
    }, 1000);
  }

  /** The peak of each half, and the total processor time. */
  end() {
    clearInterval(this.timer);
    const halves = (all: readonly number[]) =>
      [all.slice(0, Math.ceil(all.length / 2)), all.slice(Math.ceil(all.length / 2))].map((half) => Math.round(Math.max(0, ...half)));
    return { memory: halves(this.memory), heap: halves(this.heap), seconds: runtimeProcess().seconds - this.before.seconds };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an API response.
type Import = any;

/** Sends an archive and waits until it is imported; records when each kind of file was done. */
async function importAll(url: URL, token: string, bytes: Uint8Array, heapNow: () => Promise<number>) {
  const headers = { Authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append('attachment', new File([bytes as never], 'school.zip', { type: 'application/zip' }));
  const watch = new Watch(heapNow);
  const started = performance.now();
  const answer = await fetch(new URL('/api/v1/accounts/1/sis_imports', url), { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as Import;
  const doneAt = new Map<string, number>();
  for (;;) {
    await new Promise((resume) => setTimeout(resume, 250));
    const told = (await (await fetch(new URL(`/api/v1/accounts/1/sis_imports/${id}`, url), { headers })).json()) as Import;
    const seconds = (performance.now() - started) / 1000;
    for (const kind of told.data.completed_importers) if (!doneAt.has(kind)) doneAt.set(kind, seconds);
    if (told.ended_at) return { told, seconds, doneAt, watch: watch.end() };
  }
}

export async function sisTables(school: School): Promise<Table[]> {
  const persist = scratchFolder();
  const token = await withDatabase(persist, async (d1) => (await groundOf(d1).admin()).token);
  const modules = await build(scratchFolder());
  const runtime = await startRuntime(
    persist,
    [
      {
        ...(await carrelWorker('carrel', modules)),
        queueConsumers: { 'carrel-work': { maxBatchSize: 10, maxBatchTimeout: 0, maxRetries: 5 } },
      },
    ],
    { inspectorPort: 0 },
  );
  try {
    const url = await runtime.unsafeGetDirectURL('carrel');
    const bytes = schoolArchive(school);
    const heap = await openHeap(await runtime.getInspectorURL());
    const heapNow = () => heap.used();
    const rows: (string | number)[][] = [];
    const counts: string[] = [];
    const all = school.users + 2 * school.courses + school.enrollments;
    for (const name of ['first', 'the same again']) {
      const { told, seconds, doneAt, watch } = await importAll(url, token, bytes, heapNow);
      const { counts: counted } = told.data;
      counts.push(
        `${name}: ${told.workflow_state}, users ${counted.users}, courses ${counted.courses}, sections ${counted.sections}, enrollments ${counted.enrollments}, state changes ${told.statistics.total_state_changes}, messages ${counted.error_count + counted.warning_count}`,
      );
      let before = 0;
      const took = (kind: string, count: number) => {
        const at = doneAt.get(kind) ?? seconds;
        const speed = count / Math.max(0.25, at - before);
        before = at;
        return Math.round(speed);
      };
      rows.push([
        name,
        Math.round(seconds),
        Math.round(all / seconds),
        took('courses', school.courses) && took('sections', school.courses) && took('users', school.users),
        took('enrollments', school.enrollments),
        Math.round(watch.seconds),
        watch.heap.join(' / '),
        watch.memory.join(' / '),
      ]);
    }
    return [
      {
        title: `An SIS import of ${school.users.toLocaleString('en-US')} users, ${school.courses.toLocaleString('en-US')} courses with a section each and ${school.enrollments.toLocaleString('en-US')} enrollments${school.isShuffled ? ', in no order' : ''}`,
        columns: ['Import', 'Seconds', 'Rows/s', 'Users/s', 'Enrollments/s', 'CPU seconds', 'Heap MB', 'Process MB'],
        rows,
        notes: [
          ...counts,
          `One archive of ${(bytes.length / 1024 / 1024).toFixed(1)} MB. Memory is the peak of the first and of the second half: the heap of the Worker, and the resident set of the runtime's process, which includes the local database and storage.`,
        ],
        only: `sis${school.isShuffled ? ' --shuffled' : ''} --users ${school.users}`,
      },
    ];
  } finally {
    await runtime.dispose();
  }
}
