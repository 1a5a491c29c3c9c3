// Removes students' work from the folders of a course: only what the desk wrote and the user has not changed.

import { feedbackFolder, submissionsFolder } from '../../model/names';
import { type Disk, expected, Refused } from '../../model/ports';
import type { Path } from '../../model/trees';
import { ofNoStudent } from '../../store/graded_folders';
import type { UserStore } from '../../store/user';

interface Removing {
  readonly user: UserStore;
  readonly disk: Disk;
  /** The folder of the course. */
  readonly home: Path;
  /** Called before anything is changed. */
  readonly enter?: () => Promise<void>;
}

/** Files that are gone already need nothing; what the user has written stays where it is. */
export async function removeUnchanged(courseId: number, { user, disk, home, enter }: Removing): Promise<void> {
  const files = user.graded.files(courseId);
  if (files.length === 0) return;
  await enter?.();
  const root = `${home}/${submissionsFolder}`;
  const names = new Map(user.graded.folders(courseId).map((one) => [`${one.assignment_id} ${one.attempt} ${one.who}`, one.name]));
  const folderOf = (assignment: number) => `${root}/${names.get(`${assignment} 0 ${ofNoStudent}`)}`;
  const folders = new Set<Path>();
  for (const { assignment_id, who, attempt, name, sha256 } of files) {
    const student = who === ofNoStudent ? '' : `/${names.get(`${assignment_id} ${attempt} ${who}`)}`;
    const folder = `${folderOf(assignment_id)}${student}`;
    folders.add(folder).add(`${folder}/${feedbackFolder}`).add(folderOf(assignment_id));
    if (name === '') continue;
    const found = await disk.hash(`${folder}/${name}`);
    if (found?.hash !== sha256) continue;
    await disk.remove(found.path, expected(found)).catch((problem: unknown) => {
      // Changed at this moment: it is the user's.
      if (!(problem instanceof Refused)) throw problem;
    });
  }
  for (const folder of [...folders].sort((a, b) => b.length - a.length).concat(root))
    if (disk.isFolder?.(folder)) await disk.dropFolder?.(folder);
  user.graded.forgetCourse(courseId);
}
