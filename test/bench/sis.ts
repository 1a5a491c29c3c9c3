// How fast a school comes in: people, courses and enrollments in one archive, sent and watched over HTTP, then sent once more.

import { readdirSync, readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { groundOf } from '../support/ground';
import { withDatabase } from '../support/server';
import { build, carrelWorker, type Runtime, run } from './runtime';
import { scratchFolder } from './scratch';
import type { Table } from './table';

export interface School {
  readonly users: number;
  readonly courses: number;
  readonly enrollments: number;
}

const encoder = new TextEncoder();
const lines = (count: number, header: string, line: (n: number) => string): Uint8Array => {
  const parts = [header];
  for (let n = 0; n < count; n += 1) parts.push(line(n));
  return encoder.encode(`${parts.join('\n')}\n`);
};

/** Sorted by course, as student systems write them; each course has one teacher. */
export function archive({ users, courses, enrollments }: School): Uint8Array {
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
      'enrollments.csv': lines(enrollments, 'course_id,section_id,user_id,role,status', (n) => {
        const [course, nth] = [Math.floor(n / each), n % each];
        return `C${course},S${course},U${(course * 37 + nth * 11) % users},${nth === 0 ? 'teacher' : 'student'},active`;
      }),
    },
    { level: 6 },
  );
}

/** The memory of the runtime's process: the Worker, and beside it the database and the storage that run in the same one here. */
class Memory {
  private readonly timer: NodeJS.Timeout;
  readonly samples: number[] = [];

  constructor() {
    this.timer = setInterval(() => this.sample(), 500);
  }

  private sample(): void {
    let largest = 0;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        if (!/^Name:\s+workerd/m.test(status) || !new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status)) continue;
        largest = Math.max(largest, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // The process has ended meanwhile.
      }
    if (largest > 0) this.samples.push(largest);
  }

  /** Megabytes at the beginning, and the most there were in each half. */
  end(): { first: number; firstHalf: number; secondHalf: number } {
    clearInterval(this.timer);
    const half = Math.ceil(this.samples.length / 2);
    return {
      first: this.samples[0] ?? 0,
      firstHalf: Math.max(0, ...this.samples.slice(0, half)),
      secondHalf: Math.max(0, ...this.samples.slice(half)),
    };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Import = any;

/** Sends an archive and waits for the end; notes when each kind of file was done. */
async function importAll(url: URL, token: string, bytes: Uint8Array) {
  const headers = { Authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append('attachment', new File([bytes as never], 'school.zip', { type: 'application/zip' }));
  const memory = new Memory();
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
    if (told.ended_at) return { told, seconds, doneAt, memory: memory.end() };
    if (process.env.SIS_TRACE)
      console.error(`  ${seconds.toFixed(0)} s: ${told.workflow_state} ${told.progress}% ${JSON.stringify(told.data.counts.enrollments)}`);
  }
}

export async function sisTables(school: School): Promise<Table[]> {
  const persist = scratchFolder();
  const token = await withDatabase(persist, async (d1) => (await groundOf(d1).admin()).token);
  const modules = await build(scratchFolder());
  const runtime: Runtime = await run(persist, [
    { ...carrelWorker('carrel', modules), queueConsumers: { 'carrel-work': { maxBatchSize: 10, maxBatchTimeout: 0, maxRetries: 5 } } },
  ]);
  try {
    const url = await runtime.unsafeGetDirectURL('carrel');
    const bytes = archive(school);
    const rows: (string | number)[][] = [];
    const counts: string[] = [];
    const all = school.users + 2 * school.courses + school.enrollments;
    for (const name of ['first', 'the same again']) {
      const { told, seconds, doneAt, memory } = await importAll(url, token, bytes);
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
        Math.round(memory.first),
        Math.round(memory.firstHalf),
        Math.round(memory.secondHalf),
      ]);
    }
    return [
      {
        title: `An SIS import of ${school.users.toLocaleString('en-US')} users, ${school.courses.toLocaleString('en-US')} courses with a section each and ${school.enrollments.toLocaleString('en-US')} enrollments`,
        columns: ['Import', 'Seconds', 'Rows/s', 'Users/s', 'Enrollments/s', 'MB at first', 'MB, first half', 'MB, second half'],
        rows,
        notes: [
          ...counts,
          `One archive of ${(bytes.length / 1024 / 1024).toFixed(1)} MB. Memory is the resident set of the runtime's process, which also holds the local database and storage.`,
        ],
        only: 'sis',
      },
    ];
  } finally {
    await runtime.dispose();
  }
}
