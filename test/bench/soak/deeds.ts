// What people do during a soak, each with what has to be true of it at the end.

import type { Person } from '../../support/ground';
import type { SoakCourse, SoakScene } from './scene';
import { type PatientSender, Unsure } from './sender';

/** What was promised: a message that was accepted exists once, one that was given up at most once. */
export interface Promised {
  readonly accepted: Set<string>;
  readonly unsure: Set<string>;
}

export interface SoakLedger {
  readonly messages: Promised;
  readonly entries: Promised;
  readonly notes: Promised;
  /** By user and course: whether the user is enrolled, or unknown. */
  readonly enrolled: Map<string, boolean | undefined>;
}

const promised = (): Promised => ({ accepted: new Set(), unsure: new Set() });
export const newLedger = (): SoakLedger => ({ messages: promised(), entries: promised(), notes: promised(), enrolled: new Map() });

const any = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

interface Ground {
  readonly sender: PatientSender;
  readonly ledger: SoakLedger;
  readonly place: SoakCourse;
  readonly student: Person;
  readonly shared: SharedItems;
}

/** What the teachers create before the load begins. */
export interface SharedItems {
  readonly assignments: readonly number[];
  readonly topic: number;
  /** A conversation of the whole course. */
  readonly conversation: number;
}

let count = 0;

/** Does it with a text that occurs nowhere else, and records whether it was accepted. */
async function once(kind: Promised, run: (text: string) => Promise<unknown>): Promise<void> {
  count += 1;
  const text = `soak ${process.pid} ${count}`;
  try {
    if ((await run(text)) !== undefined) kind.accepted.add(text);
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    kind.unsure.add(text);
  }
}

/** Enrollments of one user change one after the other, so that the last answer is what holds. */
const changing = new Set<string>();

async function wander({ sender, ledger, place: { course, teacher, wanderers } }: Ground): Promise<void> {
  const wanderer = any(wanderers);
  const key = `${wanderer.id} ${course.id}`;
  if (changing.has(key)) return;
  changing.add(key);
  const wasEnrolled = ledger.enrolled.get(key);
  try {
    ledger.enrolled.set(key, undefined);
    if (wasEnrolled === true) {
      const [mine] = await sender.read(teacher, `/courses/${course.id}/enrollments`, { user_id: wanderer.id });
      if (mine && (await sender.write(teacher, 'del', `/courses/${course.id}/enrollments/${mine.id}`, { task: 'delete' })))
        ledger.enrolled.set(key, false);
    } else {
      const enrollment = { user_id: wanderer.id, type: 'StudentEnrollment', enrollment_state: 'active' };
      if (await sender.write(teacher, 'post', `/courses/${course.id}/enrollments`, { enrollment })) ledger.enrolled.set(key, true);
    }
  } finally {
    changing.delete(key);
  }
}

async function exchangeFile({ sender, student }: Ground): Promise<void> {
  count += 1;
  const content = `The text of file ${count}. `.repeat(50);
  const ticket = await sender.write(student, 'post', '/users/self/files', {
    name: `notes-${count}.txt`,
    size: content.length,
    content_type: 'text/plain',
  });
  const file = ticket && (await sender.sendFile(ticket, content));
  if (!file) return;
  const { url } = await sender.read(student, `/files/${file.id}`);
  await sender.read(student, url);
  if (Math.random() < 0.5) await sender.write(student, 'del', `/files/${file.id}`);
}

const deeds: readonly [weight: number, name: string, run: (ground: Ground) => Promise<unknown>][] = [
  [10, 'list of courses', ({ sender, student }) => sender.read(student, '/courses')],
  [6, 'planner', ({ sender, student }) => sender.read(student, '/planner/items')],
  [6, 'tasks', ({ sender, student }) => sender.read(student, '/users/self/todo')],
  [
    6,
    'assignments',
    ({ sender, student, place }) => sender.read(student, `/courses/${place.course.id}/assignments`, { include: ['submission'] }),
  ],
  [
    4,
    'discussion',
    ({ sender, student, place, shared }) => sender.read(student, `/courses/${place.course.id}/discussion_topics/${shared.topic}/view`),
  ],
  [4, 'inbox', ({ sender, student }) => sender.read(student, '/conversations')],
  [
    2,
    'grades',
    ({ sender, place }) => sender.read(place.teacher, `/courses/${place.course.id}/students/submissions`, { student_ids: ['all'] }),
  ],
  [
    8,
    'message to all',
    ({ sender, ledger, student, shared }) =>
      once(ledger.messages, (body) => sender.write(student, 'post', `/conversations/${shared.conversation}/add_message`, { body })),
  ],
  [
    8,
    'message to one',
    ({ sender, ledger, student, place }) =>
      once(ledger.messages, (body) =>
        sender.write(student, 'post', '/conversations', { recipients: [any(place.students.filter((one) => one !== student)).id], body }),
      ),
  ],
  [
    8,
    'entry',
    ({ sender, ledger, student, place, shared }) =>
      once(ledger.entries, (message) =>
        sender.write(student, 'post', `/courses/${place.course.id}/discussion_topics/${shared.topic}/entries`, { message }),
      ),
  ],
  [
    6,
    'note',
    ({ sender, ledger, student }) =>
      once(ledger.notes, (title) => sender.write(student, 'post', '/planner_notes', { title, todo_date: '2026-12-01' })),
  ],
  [
    6,
    'submission',
    ({ sender, student, place, shared }) =>
      sender.write(student, 'post', `/courses/${place.course.id}/assignments/${any(shared.assignments)}/submissions`, {
        submission: { submission_type: 'online_text_entry', body: `<p>Attempt ${count}</p>` },
      }),
  ],
  [
    6,
    'grade',
    ({ sender, student, place, shared }) =>
      sender.write(place.teacher, 'put', `/courses/${place.course.id}/assignments/${any(shared.assignments)}/submissions/${student.id}`, {
        submission: { posted_grade: String(1 + (count % 10)) },
      }),
  ],
  [
    3,
    'page',
    ({ sender, place }) =>
      sender.write(place.teacher, 'put', `/courses/${place.course.id}/pages/page-${1 + (count % 5)}`, {
        wiki_page: { title: `Page ${1 + (count % 5)}`, body: `<p>Edition ${count}</p>`, published: true },
      }),
  ],
  [4, 'enrollment', wander],
  [5, 'file', exchangeFile],
];

const weighted = deeds.flatMap(([weight, , run]) => Array.from({ length: weight }, () => run));

/** One person does one thing. */
export async function doSomething(
  scene: SoakScene,
  shared: ReadonlyMap<number, SharedItems>,
  sender: PatientSender,
  ledger: SoakLedger,
): Promise<void> {
  const place = any(scene.courses);
  const items = shared.get(place.course.id);
  if (!items) return;
  const run = any(weighted);
  try {
    await run({ sender, ledger, place, student: any(place.students), shared: items });
  } catch (error) {
    // Given up; what that means is in the ledger.
    if (!(error instanceof Unsure)) throw error;
  }
}

/** The assignments, discussion and conversation of each course. */
export async function shareItems(scene: SoakScene, sender: PatientSender): Promise<Map<number, SharedItems>> {
  const shared = new Map<number, SharedItems>();
  for (const { course, teacher, students } of scene.courses) {
    const assignments: number[] = [];
    for (let n = 0; n < 3; n++) {
      const assignment = { name: `Assignment ${n}`, submission_types: ['online_text_entry'], points_possible: 10, published: true };
      assignments.push((await sender.write(teacher, 'post', `/courses/${course.id}/assignments`, { assignment })).id);
    }
    const topic = await sender.write(teacher, 'post', `/courses/${course.id}/discussion_topics`, { title: 'Questions', published: true });
    const recipients = students.map(({ id }) => id);
    const [thread] = await sender.write(teacher, 'post', '/conversations', { recipients, group_conversation: true, body: 'Welcome' });
    shared.set(course.id, { assignments, topic: topic.id, conversation: thread.id });
  }
  return shared;
}
