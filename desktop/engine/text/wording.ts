// The text of an item that is stored when the server replaces it. Pure.

import { createHash } from 'node:crypto';
import type { Kind } from '@carrel/shared/sync/protocol';
import { type AssignmentJson, announcedAtOf, type CourseJson, isShut, type PageJson, type TopicJson } from '../model/resources';

export interface Wording {
  readonly title: string;
  readonly html: string;
  readonly author: string | null;
  readonly written_at: string | null;
}

/** Undefined if the server does not send it, or not now: that is not another text. */
type Told = Omit<Wording, 'html'> & { readonly html: string | null | undefined };

const result: Partial<Record<Kind, (resource: never) => Told | undefined>> = {
  page: (page: PageJson) =>
    isShut(page)
      ? undefined
      : {
          title: page.title,
          html: page.body,
          author: page.last_edited_by?.display_name ?? null,
          written_at: page.updated_at ?? null,
        },
  assignment: (assignment: AssignmentJson) =>
    isShut(assignment)
      ? undefined
      : { title: assignment.name, html: assignment.description, author: null, written_at: assignment.updated_at ?? null },
  discussion_topic: (topic: TopicJson) =>
    isShut(topic)
      ? undefined
      : { title: topic.title, html: topic.message, author: topic.author?.display_name ?? null, written_at: announcedAtOf(topic) },
  // Renaming a course does not change its syllabus.
  course: (course: CourseJson) => ({ title: '', html: course.syllabus_body, author: null, written_at: null }),
};

export const isWorded = (kind: Kind): boolean => kind in result;

export function wordingOf(kind: Kind, resource: Readonly<Record<string, unknown>> | undefined): Wording | undefined {
  const found = resource && result[kind]?.(resource as never);
  return found && found.html !== undefined ? { ...found, html: found.html ?? '' } : undefined;
}

/** Equal hashes mean equal content: the access keys in file links may differ. */
export const hashOfWording = ({ title, html }: Pick<Wording, 'title' | 'html'>): string =>
  createHash('sha256')
    .update(`${title}\0${html.replaceAll(/([?&](?:amp;)?)verifier=[\w-]+/g, '$1')}`)
    .digest('hex')
    .slice(0, 16);
