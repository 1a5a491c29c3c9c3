// One text to read, with its links pointing to other texts of the desk and its images to the study folder.

import type { Reading, Reference } from '../../contract/reading';
import { t } from '../../language/texts';
import { learnerIn, shownWorkIn } from '../model/observing';
import { place } from '../model/places';
import {
  type AssignmentJson,
  announcedAtOf,
  type CourseJson,
  type FileJson,
  isShut,
  type LockInfo,
  type PageJson,
  type SubmissionJson,
  type TopicJson,
} from '../model/resources';
import { roleIn } from '../model/teaching';
import type { Outbox } from '../outbox/outbox';
import { itemsOf, unsentItems } from '../outbox/seen';
import { readBookmark } from '../store/bookmark_rows';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import type { Leads } from '../text/offline';
import { plainText } from '../text/plain_text';
import { proseIn } from '../text/prose';
import { said } from '../text/shown_html';
import { mayAuthor } from './authoring';
import { attachmentsOf } from './discussions';
import { earlierCount } from './earlier';
import { leadIn } from './link_targets';
import { rubricOf } from './rubric';

export interface Open {
  readonly cache: Cache;
  readonly outbox: Outbox;
  readonly user: UserStore;
  readonly signedIn: { readonly url: string; readonly user_id: number };
}

export function reading(open: Open, reference: Reference): Reading | null {
  const { cache, signedIn } = open;
  const course = place(cache, reference.course_id);
  const text = course && textOf(open, reference);
  if (!text) return null;
  const earlier = earlierCount(open, reference);
  const { kind, course_id, id } = reference;
  const isAuthored = kind === 'page' || kind === 'assignment';
  return readingOf(open, reference, course, {
    ...text,
    ...(isAuthored && mayAuthor(open, { kind, course_id, id }) && { may_edit: true }),
    earlier,
    html: said(text.html, { base: signedIn.url, to: leadIn(cache) }),
  });
}

type Text<Html> = Pick<Reading, 'title'> & Partial<Omit<Reading, 'html'>> & { readonly html: Html };

/** A text with sanitised HTML, and the other data that the desk shows with it. */
export const readingOf = (
  { cache, outbox, user, signedIn }: Open,
  reference: Reference,
  course: CourseJson,
  text: Text<string>,
): Reading => ({
  ...blank,
  ...text,
  reference,
  course_name: course.name ?? '',
  bookmark: readBookmark(user, reference),
  to_mark:
    reference.kind === 'syllabus' || roleIn(cache, reference.course_id, signedIn.user_id) !== 'studies'
      ? null
      : toMark(cache, outbox, reference),
});

/** The module items that ask to mark it as done. */
function toMark(cache: Cache, outbox: Outbox, reference: Exclude<Reference, { kind: 'syllabus' }>): Reading['to_mark'] {
  const found = itemsOf(cache, reference, reference.course_id).find(({ item }) => item.completion_requirement?.type === 'must_mark_done');
  if (!found || found.module.state === 'locked') return null;
  const { module, item } = found;
  const unsent = unsentItems(outbox).get(item.id);
  return {
    module_id: module.id,
    item_id: item.id,
    module_name: module.name,
    done: unsent ? unsent === 'done' : (item.completion_requirement?.completed ?? false),
    pending: unsent !== undefined,
  };
}

const blank = {
  updated_at: null,
  author: null,
  due_at: null,
  unlock_at: null,
  lock_at: null,
  points_possible: null,
  submission: null,
  student: null,
  to_grade: null,
  is_draft: false,
  locked: null,
  comments: [],
  rubric: null,
  attachments: [],
  file: null,
  is_announcement: false,
  earlier: null,
};

function textOf(open: Open, { kind, course_id, id }: Reference): Text<string | null | undefined> | undefined {
  const { cache, user } = open;
  if (kind === 'syllabus') {
    const course = cache.get<CourseJson>('course', course_id);
    return course?.syllabus_body ? { title: course.name ?? '', html: course.syllabus_body } : undefined;
  }
  if (cache.courseIdOf(kind, id) !== course_id) return undefined;
  if (kind === 'file') {
    const file = cache.get<FileJson>('file', id);
    return file && { title: file.display_name, html: '' };
  }
  if (kind === 'page') {
    const page = cache.get<PageJson>('page', id);
    return (
      page && {
        title: page.title,
        html: page.body,
        updated_at: page.updated_at ?? null,
        author: page.last_edited_by?.display_name ?? null,
        is_draft: page.published === false,
        locked: lockOf(page),
      }
    );
  }
  if (kind === 'assignment') {
    const assignment = cache.get<AssignmentJson>('assignment', id);
    return (
      assignment && {
        title: assignment.name,
        html: assignment.description,
        updated_at: assignment.updated_at ?? null,
        ...asked(open, assignment),
      }
    );
  }
  const topic = cache.get<TopicJson>('discussion_topic', id);
  const assignment = topic?.assignment_id ? cache.get<AssignmentJson>('assignment', topic.assignment_id) : undefined;
  return (
    topic && {
      ...(assignment && asked(open, assignment)),
      title: topic.title,
      // While it is locked, the server sends the reason in place of the text.
      html: lockOf(topic) === null ? topic.message : '',
      updated_at: announcedAtOf(topic),
      author: topic.author?.display_name ?? topic.user_name ?? null,
      locked: lockOf(topic),
      attachments: attachmentsOf({ cache, user }, topic.attachments),
      is_announcement: topic.is_announcement ?? false,
    }
  );
}

function asked(open: Open, assignment: AssignmentJson): Partial<Reading> {
  const { cache, signedIn } = open;
  const { url: base, user_id: userId } = signedIn;
  const { course_id, id } = assignment;
  const isShown = shownWorkIn(open, course_id);
  const submission = cache.ofCourse<SubmissionJson>('submission', course_id).find((one) => one.assignment_id === id && isShown(one));
  const learner = learnerIn(open, course_id);
  return {
    due_at: assignment.due_at ?? null,
    unlock_at: assignment.unlock_at ?? null,
    lock_at: assignment.lock_at ?? null,
    points_possible: assignment.points_possible ?? null,
    locked: lockOf(assignment),
    student: typeof learner === 'object' ? learner.name : null,
    to_grade: roleIn(cache, course_id, userId) === 'teaches' ? (assignment.needs_grading_count ?? null) : null,
    is_draft: assignment.published === false,
    comments: commentsOn(submission, userId, { base, to: leadIn(cache) }),
    rubric: rubricOf(assignment, submission),
    submission: submission
      ? {
          workflow_state: submission.workflow_state,
          submitted_at: submission.submitted_at ?? null,
          grade: submission.grade ?? null,
          score: submission.score ?? null,
        }
      : null,
  };
}

const commentsOn = (submission: SubmissionJson | undefined, me: number, leads: Leads): Reading['comments'] =>
  (submission?.submission_comments ?? [])
    .map(({ id, author_id, author_name, comment, created_at }) => ({
      id,
      author: author_name ?? null,
      mine: author_id === me,
      at: created_at,
      words: proseIn(comment, leads),
    }))
    .sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id);

const lockOf = (one: Lockable): string | null => (isShut(one) ? plainText(one.lock_explanation) || t('why.locked') : null);

interface Lockable {
  readonly locked_for_user?: boolean;
  readonly lock_info?: LockInfo;
  readonly lock_explanation?: string;
}
