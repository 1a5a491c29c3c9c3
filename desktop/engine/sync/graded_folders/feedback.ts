// The files that a teacher has put into the feedback folders of an assignment and that were not sent yet.

import { type MessageKey, t } from '../../../language/texts';
import { feedbackFolder, isJunk } from '../../model/names';
import type { Disk, SeenFile } from '../../model/ports';
import { fold, lastOf, type Path } from '../../model/trees';
import type { GradedFolder, GradedFolders, GradedPlace } from '../../store/graded_folders';

export interface FeedbackFile {
  readonly who: string;
  readonly attempt: number;
  readonly name: string;
  readonly seen: SeenFile;
}

export interface FeedbackProblem {
  readonly path: Path;
  readonly why: string;
}

export interface FoundFeedback {
  readonly files: readonly FeedbackFile[];
  readonly problems: readonly FeedbackProblem[];
}

interface Looking {
  readonly disk: Disk;
  readonly kept: GradedFolders;
  /** The folder of the assignment. */
  readonly folder: Path;
  readonly place: GradedPlace;
  /** The folders of students, by folded name. */
  readonly attempts: ReadonlyMap<string, GradedFolder>;
}

export async function feedbackIn({ disk, kept, folder, place, attempts }: Looking): Promise<FoundFeedback> {
  if (!disk.isFolder?.(folder)) return { files: [], problems: [] };
  const files: FeedbackFile[] = [];
  const problems: FeedbackProblem[] = [];
  const isTwin = twins();
  const { files: all = new Map() } = (await disk.below?.(folder)) ?? {};
  for (const path of [...all.keys()].sort()) {
    const [student = '', within, ...rest] = path.slice(folder.length + 1).split('/');
    if (within === undefined || fold(within) !== fold(feedbackFolder) || rest.length === 0 || rest.some(isJunk)) continue;
    const wrong = (code: MessageKey, values = {}) => problems.push({ path, why: t(code, values) });
    const attempt = attempts.get(fold(student));
    const seen = await disk.hash(path);
    if (!seen) wrong('why.fileUnreadable', { where: lastOf(path) });
    else if (!attempt) wrong('why.feedbackNowhere', { folder: student });
    else if (seen.stamp.size === 0) wrong('why.feedbackEmpty');
    else if (!kept.isSent(place, attempt.who, seen.hash) && !isTwin(`${attempt.who} ${seen.hash}`))
      files.push({ who: attempt.who, attempt: attempt.attempt, name: lastOf(path), seen });
  }
  return { files, problems };
}

/** The same bytes under two names are sent once. */
function twins(): (key: string) => boolean {
  const seen = new Set<string>();
  return (key) => seen.size === seen.add(key).size;
}
