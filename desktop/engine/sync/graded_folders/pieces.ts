// What was handed in with one attempt, as files. Pure.

import { feedbackFolder, localName, uniqueName } from '../../model/names';
import type { AssignmentJson, AttachmentJson } from '../../model/resources';
import { fold } from '../../model/trees';
import type { GradedOne } from '../../server/graded_ones';
import { submissionDocument } from '../../text/documents';

export type HandedIn = { readonly piece: string; readonly name: string } & (
  | { readonly file: AttachmentJson }
  /** Written here. */
  | { readonly text: string }
);

interface About {
  readonly course_id: number;
  readonly courseName: string;
  /** The address of the server. */
  readonly base: string;
  readonly assignment: AssignmentJson;
}

export function handedIn(one: GradedOne, about: About): HandedIn[] {
  const { work } = one;
  if (!work?.attempt) return [];
  const taken = new Set([fold(feedbackFolder)]);
  const files = (work.attachments ?? []).map((file) => ({
    piece: `file ${file.id}`,
    name: uniqueName(localName(file.display_name), file.id, taken),
    file,
  }));
  const own = (piece: string, name: string, text: string) => ({ piece, name: uniqueName(name, one.who, taken), text });
  const isText = work.submission_type === 'online_text_entry' && typeof work.body === 'string';
  const texts = [
    ...(isText ? [own('text', 'Text.html', textOf(one, work.body ?? '', about))] : []),
    ...(work.url && isWebAddress(work.url) ? [own('link', 'Link.url', shortcut(work.url))] : []),
  ];
  const found = [...files, ...texts];
  // A quiz, a discussion or the work of an external tool.
  return found.length > 0 ? found : [own('browser', 'Open in the browser.url', shortcut(addressInBrowser(one, about)))];
}

const textOf = (one: GradedOne, html: string, { assignment, courseName, base }: About): string =>
  submissionDocument({ title: `${assignment.name}: ${one.name}`, submitted_at: one.work?.submitted_at, html }, { courseName, base });

/** Opened by Windows and macOS, and readable as text elsewhere. */
const shortcut = (address: string): string => `[InternetShortcut]\r\nURL=${new URL(address).href}\r\n`;

function isWebAddress(text: string): boolean {
  const { protocol } = URL.parse(text) ?? {};
  return protocol === 'https:' || protocol === 'http:';
}

function addressInBrowser({ user_id, who }: GradedOne, { base, course_id, assignment }: About): string {
  const student = user_id === null ? `anonymous_id=${encodeURIComponent(who)}` : `student_id=${user_id}`;
  return `${base}/courses/${course_id}/gradebook/speed_grader?assignment_id=${assignment.id}&${student}`;
}
