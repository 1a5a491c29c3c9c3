// The planner: dated items, the user's own notes, and marks.

import type { Channel } from '../../contract/channels';
import type { DatedEntry, PlannerEntry } from '../../contract/planner';
import type { WritingPlace } from '../../contract/writing';
import { t } from '../../language/texts';
import type { Workspace } from '../accounts/workspace';
import type { NoteJson } from '../model/resources';
import { roleIn } from '../model/teaching';
import type { NoteBody } from '../outbox/intents';
import { noteBodyOf } from '../outbox/note_edits';
import { calendarFile } from '../views/calendar_file';
import { isDated, isNote, plannerEntries } from '../views/planner';
import { teachingView } from '../views/teaching';
import type { ChannelGroup, ChannelGroupContext } from './group';

type PlannerChannel = Extract<Channel, `today.${string}` | `calendar.${string}` | `note.${string}` | `planner.${string}`>;

export const plannerEntriesOf = (workspace: Workspace, courseId?: number): PlannerEntry[] => plannerEntries(workspace, courseId);

/** The place of a draft, with the id that the server gave to its note. */
export const numberedEntries = ({ outbox }: Workspace, place: WritingPlace): WritingPlace =>
  place.kind === 'note' && place.id !== null ? { kind: 'note', id: outbox.serverId(place.id) } : place;

function noteEntry(workspace: Workspace, id: number): DatedEntry {
  const found = plannerEntriesOf(workspace)
    .filter(isDated)
    .find(isNote(workspace.outbox.serverId(id)));
  if (!found) throw new Error(t('why.noteGone'));
  return found;
}

/** The note as the server had it. */
function noteThere({ cache, outbox }: Workspace, id: number): NoteBody | undefined {
  const note = cache.get<NoteJson>('planner_note', outbox.serverId(id));
  return note && noteBodyOf(note);
}

export const plannerChannels = ({ here, edited }: ChannelGroupContext): ChannelGroup<PlannerChannel> => ({
  'today.list': async ({ from, to }) => {
    const [first, last] = [Date.parse(from), Date.parse(to)];
    return plannerEntriesOf(here())
      .filter(isDated)
      .filter(({ date }) => Date.parse(date) >= first && Date.parse(date) <= last);
  },
  'calendar.file': async (item) => calendarFile(here(), item),
  'today.teaching': async () => teachingView(here()),
  'note.create': async ({ title, details, todo_date, course_id, finished }) => {
    const id = here().outbox.createNote({ title, details, todo_date, course_id }, finished);
    edited();
    return noteEntry(here(), id);
  },
  'note.update': async ({ id, title, details, todo_date, course_id, finished }) => {
    const study = here();
    noteEntry(study, id);
    const more = { finished: finished && numberedEntries(study, finished), known: noteThere(study, id) };
    study.outbox.updateNote(id, { title, details, todo_date, course_id }, more);
    edited();
    return noteEntry(here(), id);
  },
  'note.delete': async ({ id }) => {
    const study = here();
    study.outbox.deleteNote(id, noteThere(study, id));
    edited();
    return null;
  },
  'planner.mark': async ({ plannable_type, plannable_id, marked_complete }) => {
    const { cache, outbox, signedIn } = here();
    const kind = {
      assignment: 'assignment',
      discussion_topic: 'discussion_topic',
      announcement: 'discussion_topic',
      wiki_page: 'page',
    } as const;
    const course_id = plannable_type in kind ? cache.courseIdOf(kind[plannable_type as keyof typeof kind], plannable_id) : null;
    if (course_id !== null && roleIn(cache, course_id, signedIn.user_id) === 'observes') throw new Error(t('why.observes'));
    const id = plannable_type === 'planner_note' ? outbox.serverId(plannable_id) : plannable_id;
    outbox.mark({ plannable_type, plannable_id: id, marked_complete });
    edited();
    return null;
  },
});
