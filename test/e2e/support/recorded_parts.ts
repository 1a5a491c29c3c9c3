// More of the recorded library: its courses for a teacher, a teacher who also studies, and an observer of two students.

import type { ChangedArea } from '@carrel/desktop/contract/channels';
import type { CourseRole } from '@carrel/desktop/contract/course';
import type { PlannerEntry } from '@carrel/desktop/contract/planner';
import type { TaughtAssignment, TeachingView } from '@carrel/desktop/contract/teaching';
import type { Desk } from '@carrel/desktop/hosts/desk';
import { algebra, biology, books } from './content.ts';

export type RecordedPart = 'student' | 'teacher' | 'mixed' | 'observer';
type Channels = Omit<Desk, 'onNotice' | 'close'>;

interface Around {
  readonly now: Date;
  readonly isEmpty: boolean;
  readonly tell: (...changed: ChangedArea[]) => void;
}

const names = { [biology]: 'Marine Biology', [books]: 'History of the Book', [algebra]: 'Linear Algebra' } as const;
const students = [
  { id: 71, name: 'Maya Vermeer', courses: [biology, books] },
  { id: 72, name: 'Leonardo Vermeer', courses: [algebra, books] },
];

/** What each part is in a course. */
const roles: Readonly<Record<RecordedPart, (course: number) => CourseRole>> = {
  student: () => 'studies',
  teacher: () => 'teaches',
  mixed: (course) => (course === biology || course === books ? 'teaches' : 'studies'),
  observer: () => 'observes',
};

export function recordedParts(part: RecordedPart, channels: Channels, { now, isEmpty, tell }: Around): Partial<Channels> {
  if (part === 'student') return {};
  const roleOf = roles[part];
  let chosen = students[0]?.id ?? 0;
  const shown = () => students.find(({ id }) => id === chosen) ?? students[0];
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const inSight = (course_id: number | null) => part !== 'observer' || course_id === null || !!shown()?.courses.includes(course_id);
  const asSeen = (entry: PlannerEntry): PlannerEntry => {
    const role = entry.plannable_type === 'planner_note' || entry.course_id === null ? 'studies' : roleOf(entry.course_id);
    if (role === 'teaches') return { ...entry, taught: true, submitted: false, graded: false, late: false, missing: false };
    return role === 'observes' ? { ...entry, observed: true, marked_complete: entry.submitted || entry.graded } : entry;
  };
  const work = (id: number, title: string, course_id: keyof typeof names, count: number, due: number | null) => ({
    id,
    open: { kind: 'assignment' as const, course_id, id },
    title,
    course_id,
    course_name: names[course_id],
    count,
    due_at: due === null ? null : at(due),
  });
  const teaching: TeachingView = {
    beside: part === 'mixed' ? 'studies' : null,
    to_grade: isEmpty
      ? []
      : [
          work(298, 'A walk along the wrack line', biology, 27, -12),
          work(301, 'Plankton field notes', biology, 4, -2),
          work(303, 'Reading response: the codex, and what became of the scroll in the libraries of late antiquity', books, 112, -4),
          work(305, 'Portfolio', books, 1, null),
        ],
    discussions: isEmpty
      ? []
      : [
          {
            open: { kind: 'discussion_topic', course_id: biology, id: 604 },
            title: 'What did you find under the stones?',
            course_id: biology,
            course_name: names[biology],
            unread: 9,
            last_reply_at: at(-0.2),
          },
        ],
  };
  const assignment = (id: number, title: string, due: number | null, more: Partial<TaughtAssignment> = {}): TaughtAssignment => ({
    id,
    open: { kind: 'assignment', course_id: biology, id },
    title,
    group: 'Field work',
    due_at: due === null ? null : at(due),
    has_other_dates: false,
    points_possible: 20,
    published: true,
    to_grade: 0,
    ...more,
  });
  const taught = [
    assignment(298, 'A walk along the wrack line', -12, { to_grade: 27 }),
    assignment(301, 'Plankton field notes', -2, { to_grade: 4, has_other_dates: true }),
    assignment(304, 'Lab report: tidal zones', 1, { points_possible: 40 }),
    assignment(306, 'Exam: life on a rocky shore between the splash zone and the kelp', 20, { published: false, group: 'Exams' }),
    assignment(305, 'Portfolio', null, { points_possible: null }),
  ];
  return {
    'today.teaching': async () => (part === 'observer' ? null : teaching),
    'today.list': async (given) => (await channels['today.list'](given)).filter(({ course_id }) => inSight(course_id)).map(asSeen) as never,
    'course.assignments': async (given) => (await channels['course.assignments'](given)).map(asSeen),
    'course.pages': async (given) => {
      const found = await channels['course.pages'](given);
      if (roleOf(given.course_id) !== 'teaches' || found.length === 0) return found;
      const mine = (id: number) => (id === 203 ? ({ unsent: 'changed meanwhile' } as const) : {});
      return [...found.map((one) => ({ ...one, ...mine(one.id) })), { id: -4, title: 'What to bring', front_page: false, unsent: 'waits' }];
    },
    'course.taught_assignments': async ({ course_id }) => (isEmpty || course_id !== biology ? [] : taught),
    'courses.list': async () =>
      (await channels['courses.list'](undefined)).map((card) => {
        const role = roleOf(card.id);
        const among = students.filter(({ courses }) => courses.includes(card.id));
        const student = among.find(({ id }) => id === chosen) ?? among[0];
        return {
          ...card,
          role,
          progress: role === 'studies' ? card.progress : null,
          ...(role === 'teaches' && card.id === biology && { may_author: true }),
          ...(role === 'observes' && { students: among.map(({ id }) => id), ...(student && { student }) }),
          ...(!inSight(card.id) && { out_of_sight: true }),
        };
      }),
    'course.grades': async (given) => ({
      ...(await channels['course.grades'](given)),
      student: part === 'observer' ? (shown()?.name ?? '') : null,
    }),
    'reader.open': async (reference) => {
      const found = await channels['reader.open'](reference);
      const role = roleOf(reference.course_id);
      if (found?.reference.kind === 'page' && role === 'teaches') return { ...found, may_edit: true };
      if (found?.reference.kind !== 'assignment') return found;
      if (role === 'observes') return { ...found, student: shown()?.name ?? '' };
      return role === 'teaches' ? { ...found, submission: null, comments: [], to_grade: 4, may_edit: true } : found;
    },
    'work.open': async (given) => (roleOf(given.course_id) === 'studies' ? channels['work.open'](given) : null),
    'inbox.list': async () => (await channels['inbox.list'](undefined)).map((one) => ({ ...one, unanswered: one.id !== 803 })),
    'students.list': async () => (part === 'observer' ? students.map(({ id, name }) => ({ id, name, chosen: id === chosen })) : []),
    'students.choose': async ({ id }) => {
      chosen = id;
      tell('courses', 'planner', 'announcements');
      return null;
    },
  };
}
