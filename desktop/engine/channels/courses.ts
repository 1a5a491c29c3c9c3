// Courses and groups: their tabs, and what the user marks in them.

import type { Channel } from '../../contract/channels';
import type { PlannerEntry } from '../../contract/planner';
import { t } from '../../language/texts';
import { chooseStudent } from '../model/observing';
import { roleIn } from '../model/teaching';
import type { Cache } from '../store/cache';
import { announcementsView, courseCards, coursePages, moduleViews, studentChoices } from '../views/courses';
import { fileViews } from '../views/files';
import { gradesView } from '../views/grades';
import { outcomeList } from '../views/outcomes';
import { groupPeople } from '../views/people';
import { taughtAssignments } from '../views/teaching';
import type { ChannelGroup, ChannelGroupContext } from './group';
import { plannerEntriesOf } from './planner';

type CourseChannel =
  | Exclude<Extract<Channel, `course.${string}`>, 'course.discussions'>
  | 'courses.list'
  | `students.${'list' | 'choose'}`
  | 'module.mark'
  | 'announcements.list'
  | 'announcement.post'
  | 'group.people';

const verbs = { viewed: 'view', done: 'done', 'not done': 'undone' } as const;

/** Assignments, and discussions that are graded. */
const isWork = (cache: Cache, { plannable_type, plannable_id }: PlannerEntry): boolean =>
  plannable_type === 'assignment' ||
  (plannable_type === 'discussion_topic' && !!cache.get<{ assignment_id?: number }>('discussion_topic', plannable_id)?.assignment_id);

interface CourseContext extends ChannelGroupContext {
  /** Called when the user has chosen another student. */
  readonly chosen: () => void;
}

export const courseChannels = ({ here, edited, chosen }: CourseContext): ChannelGroup<CourseChannel> => ({
  'course.outcomes': async ({ course_id }) => outcomeList(here(), course_id),
  'courses.list': async () => {
    return courseCards(here());
  },
  'students.list': async () => studentChoices(here()),
  'students.choose': async ({ id }) => {
    chooseStudent(here().user, id);
    chosen();
    return null;
  },
  'course.modules': async ({ course_id }) => moduleViews(here(), course_id),
  'module.mark': async ({ as, course_id, module_id, item_id }) => {
    const { cache, outbox, signedIn } = here();
    if (roleIn(cache, course_id, signedIn.user_id) === 'observes') throw new Error(t('why.observes'));
    outbox.markItem(verbs[as], { course_id, module_id, item_id });
    edited();
    return null;
  },
  'course.pages': async ({ course_id }) => coursePages(here(), course_id),
  'course.assignments': async ({ course_id }) => {
    const workspace = here();
    return plannerEntriesOf(workspace, course_id).filter((entry) => isWork(workspace.cache, entry));
  },
  'course.taught_assignments': async ({ course_id }) => taughtAssignments(here(), course_id),
  'course.files': async ({ course_id }) => {
    const { cache, user, account, downloading, failed } = here();
    return fileViews({ cache, user, account, downloading, failed }, course_id);
  },
  'course.grades': async ({ course_id, ...asked }) => gradesView(here(), course_id, asked),
  'announcements.list': async ({ course_id }) => {
    const { cache, outbox } = here();
    return announcementsView(cache, outbox, course_id);
  },
  'announcement.post': async ({ course_id, title, text, finished }) => {
    const { cache, outbox, signedIn } = here();
    if (roleIn(cache, course_id, signedIn.user_id) !== 'teaches') throw new Error(t('why.teachesNot'));
    if (title.trim() === '' || text.trim() === '') throw new Error(t('why.nothingWritten'));
    outbox.announce({ course_id, title: title.trim(), text: text.trim() }, finished);
    edited();
    return null;
  },
  'group.people': async ({ course_id }) => groupPeople(here().cache, -course_id, here().signedIn.user_id),
});
