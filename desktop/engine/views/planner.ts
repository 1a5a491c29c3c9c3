// The user's tasks, from the cache with their own unsent edits applied. In an observed course, those of the student.

import type { DatedEntry, PlannerEntry } from '../../contract/planner';
import { isInSight, shownWorkIn } from '../model/observing';
import {
  type AssignmentJson,
  announcedAtOf,
  type CourseJson,
  type EventJson,
  isGradeShown,
  type NoteJson,
  type OverrideJson,
  type PageJson,
  type SubmissionJson,
  type TopicJson,
} from '../model/resources';
import { roleIn } from '../model/teaching';
import { isNoteEntity, isOf, markEntity, type NoteBody } from '../outbox/intents';
import type { Outbox } from '../outbox/outbox';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { plainText } from '../text/plain_text';

type Type = PlannerEntry['plannable_type'];

interface Here {
  readonly cache: Cache;
  readonly outbox: Outbox;
  readonly user: UserStore;
  readonly signedIn: { readonly user_id: number };
}

/** Everything that may be planned, of one course or of all in sight: by date, entries without a date last. */
export function plannerEntries(here: Here, courseId?: number): PlannerEntry[] {
  const { cache, outbox, signedIn } = here;
  const courses = new Map(cache.all<CourseJson>('course').map((course) => [course.id, course.name ?? '']));
  const roles = new Map([...courses.keys()].map((id) => [id, roleIn(cache, id, signedIn.user_id)]));
  const inSight = [...courses.keys()].filter((id) => (courseId === undefined ? isInSight(here, id) : id === courseId));
  const overrides = cache.all<OverrideJson>('planner_override');
  const pending = outbox.pending();
  const marks = new Map(pending.flatMap((intent) => (intent.verb === 'mark' ? [[intent.entity, intent.body.marked_complete]] : [])));

  const finish = (given: Started): PlannerEntry => {
    const { plannable_type: type, plannable_id: id, course_id, submission } = given;
    const role = type === 'planner_note' || course_id === null ? 'studies' : roles.get(course_id);
    const isObserved = role === 'observes';
    const isDone = isGradeShown(submission) || !!submission?.submitted_at || !!submission?.excused;
    const marked = isObserved ? isDone : (marks.get(markEntity(type, id)) ?? overrides.find(isOf(type, id))?.marked_complete ?? isDone);
    return {
      plannable_type: type,
      plannable_id: id,
      title: given.title,
      date: given.date || null,
      course_id,
      course_name: course_id === null ? null : (courses.get(course_id) ?? null),
      points_possible: given.points ?? null,
      details: given.details ?? null,
      submitted: !!submission?.submitted_at,
      graded: isGradeShown(submission),
      late: submission?.late ?? false,
      missing: submission?.missing ?? false,
      marked_complete: marked,
      taught: role === 'teaches',
      ...(isObserved && { observed: true }),
      pending: given.pending ?? pending.some(({ entity }) => entity === markEntity(type, id)),
    };
  };

  const entries = inSight.flatMap((id) => [...courseThings(here, id)].map(finish));
  const notes = courseId === undefined ? ownNotes(cache, outbox).map(finish) : [];
  const events = courseId === undefined ? eventsIn(cache, courses).map(finish) : [];
  const shown = new Set(inSight);
  return [...entries, ...notes, ...events.filter(({ course_id }) => course_id === null || shown.has(course_id))].sort(byDate);
}

const lastly = '9999';
const byDate = (a: PlannerEntry, b: PlannerEntry): number =>
  (a.date ?? lastly).localeCompare(b.date ?? lastly) || a.plannable_id - b.plannable_id;

export const isDated = (entry: PlannerEntry): entry is DatedEntry => entry.date !== null;

interface Started {
  readonly plannable_type: Type;
  readonly plannable_id: number;
  readonly title: string;
  readonly date: string | null | undefined;
  readonly course_id: number | null;
  readonly points?: number | null;
  readonly details?: string | null;
  readonly submission?: SubmissionJson;
  readonly pending?: boolean;
}

function* courseThings(here: Here, course_id: number): Generator<Started> {
  const { cache } = here;
  const submissions = new Map(
    cache
      .ofCourse<SubmissionJson>('submission', course_id)
      .filter(shownWorkIn(here, course_id))
      .map((submission) => [submission.assignment_id, submission]),
  );
  const topics = cache.ofCourse<TopicJson>('discussion_topic', course_id);
  const graded = new Map(topics.flatMap((topic) => (topic.assignment_id ? [[topic.assignment_id, topic.id]] : [])));
  for (const assignment of cache.ofCourse<AssignmentJson>('assignment', course_id)) {
    const topic = graded.get(assignment.id);
    yield {
      // A graded discussion is planned as the discussion, under its own id.
      plannable_type: topic === undefined ? 'assignment' : 'discussion_topic',
      plannable_id: topic ?? assignment.id,
      title: assignment.name,
      date: assignment.due_at,
      course_id,
      points: assignment.points_possible,
      submission: submissions.get(assignment.id),
    };
  }
  for (const topic of topics) {
    if (topic.assignment_id) continue;
    const date = topic.is_announcement ? announcedAtOf(topic) : topic.todo_date;
    yield {
      plannable_type: topic.is_announcement ? 'announcement' : 'discussion_topic',
      plannable_id: topic.id,
      title: topic.title,
      date,
      course_id,
    };
  }
  for (const page of cache.ofCourse<PageJson>('page', course_id)) {
    yield { plannable_type: 'wiki_page', plannable_id: page.page_id, title: page.title, date: page.todo_date, course_id };
  }
}

/** Of courses, and the user's own. */
function eventsIn(cache: Cache, courses: ReadonlyMap<number, string>): Started[] {
  return cache
    .all<EventJson>('calendar_event')
    .filter(({ hidden, workflow_state }) => !hidden && workflow_state !== 'deleted')
    .map((event) => {
      const code = /^course_(\d+)$/.exec(event.effective_context_code ?? event.context_code ?? '')?.[1];
      const course_id = code === undefined || !courses.has(Number(code)) ? null : Number(code);
      const details = [event.location_name, plainText(event.description)].filter(Boolean).join(' · ') || null;
      return { plannable_type: 'calendar_event', plannable_id: event.id, title: event.title, date: event.start_at, course_id, details };
    });
}

/** The server's notes with the user's unconfirmed additions, changes and deletions. */
export function ownNotes(cache: Cache, outbox: Outbox): Started[] {
  const notes = new Map<number, Started>();
  for (const note of cache.all<NoteJson>('planner_note')) {
    if (note.workflow_state !== 'deleted') notes.set(note.id, { ...started(note.id, note), pending: undefined });
  }
  for (const { entity, verb, body } of outbox.pending()) {
    if (!isNoteEntity(entity)) continue;
    const id = outbox.serverId(Number(entity.split(':')[1]));
    if (verb === 'delete') notes.delete(id);
    else notes.set(id, { ...started(id, body as NoteBody), pending: true });
  }
  return [...notes.values()];
}

const started = (id: number, note: NoteBody | NoteJson): Started => ({
  plannable_type: 'planner_note',
  plannable_id: id,
  title: note.title,
  date: note.todo_date,
  course_id: note.course_id ?? null,
  details: note.details ?? null,
});

export const isNote = (id: number) => (entry: PlannerEntry) => entry.plannable_type === 'planner_note' && entry.plannable_id === id;
