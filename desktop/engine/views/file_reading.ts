// A file of a course to read: its title, how it is shown, and its text if it has any.

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { viewerOf } from '../../contract/file_types';
import type { Reading } from '../../contract/reading';
import { t } from '../../language/texts';
import { studyFolderOf } from '../disk/folder';
import { inside } from '../disk/inside';
import { place } from '../model/places';
import type { CourseJson } from '../model/resources';
import { hungAttachments, pathOfAttachment } from '../server/attachments';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { fileText } from '../text/files/file_text';
import { type FilesContext, fileViews } from './files';
import { leadIn } from './link_targets';
import { type Open, readingOf } from './reading';

/** The path of a file in the study folder, even if the teacher has removed it. */
export function pathOfFile(user: UserStore, id: number): string | undefined {
  const [folder, key] = [studyFolderOf(user), `file:${id}`];
  const lies = user.rows().get(key)?.path ?? user.removed().get(key);
  const path = folder !== undefined && lies !== undefined ? inside(folder, lies) : pathOfAttachment(user, id);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** The user's own files have course 0: their place is the folder “My files”. */
export const placeOfFile = (cache: Cache, course_id: number): CourseJson | undefined =>
  course_id === 0 ? { id: 0, name: t('mine.title') } : place(cache, course_id);

/** The course may be unknown when a link is followed: then it is 0. */
export async function fileReading(open: Open & FilesContext, id: number, givenCourse: number): Promise<Reading | null> {
  const { cache, user, signedIn, account, downloading, failed } = open;
  const course_id = cache.courseIdOf('file', id) ?? givenCourse;
  const course = placeOfFile(cache, course_id);
  const views = course ? fileViews({ cache, user, account, downloading, failed }, course_id) : [];
  const view = views.find((one) => one.id === id);
  if (!course || !view) return attached(open, id);
  const path = pathOfFile(user, id);
  const viewer = viewerOf(view.name);
  const idOf = (address: string): number | undefined => {
    const wanted = posix.join(view.folder, decoded(address.split(/[?#]/)[0] ?? ''));
    return views.find(({ folder, name }) => join(folder, name) === wanted)?.id;
  };
  const leads = { base: signedIn.url, to: leadIn(cache) };
  const text = path !== undefined && viewer === 'text' ? await fileText(path, leads, idOf) : undefined;
  return readingOf(open, { kind: 'file', course_id, id }, course, {
    title: view.name,
    html: text?.html ?? '',
    updated_at: view.updated_at,
    file: { view, viewer, here: path !== undefined, cut: text?.cut ?? false, hangs: false },
    earlier: view.has_versions ? 0 : null,
  });
}

/** An attachment of a message or a reply that is not in a course. */
async function attached(open: Open, id: number): Promise<Reading | null> {
  const { cache, user, signedIn } = open;
  const path = pathOfAttachment(user, id);
  const hung = path === undefined ? undefined : hungAttachments(cache).get(id);
  if (path === undefined || !hung) return null;
  const course_id = hung.course_id ?? 0;
  const viewer = viewerOf(hung.display_name);
  const text = viewer === 'text' ? await fileText(path, { base: signedIn.url, to: leadIn(cache) }, () => undefined) : undefined;
  const view = {
    id,
    name: hung.display_name,
    folder: '',
    size: hung.size ?? 0,
    content_type: 'application/octet-stream',
    updated_at: null,
    state: 'synced',
    reason: null,
    lock: null,
    against: null,
    has_versions: false,
  } as const;
  const at = place(cache, course_id) ?? { id: 0, name: t('inbox.title') };
  return readingOf(open, { kind: 'file', course_id, id }, at, {
    title: hung.display_name,
    html: text?.html ?? '',
    file: { view, viewer, here: true, cut: text?.cut ?? false, hangs: true },
  });
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
