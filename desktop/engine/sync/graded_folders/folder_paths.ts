// Where the folders of students' work are: names are chosen once and kept, so that a student who is renamed keeps the folder.

import { attemptFolder, feedbackFolder, gradesFile, localName, studentLabel, uniqueName } from '../../model/names';
import type { AssignmentJson } from '../../model/resources';
import { fold, type Path } from '../../model/trees';
import { type GradedOne, isGradedAnonymously } from '../../server/graded_ones';
import { type GradedFolder, type GradedFolders, ofNoStudent } from '../../store/graded_folders';

export class FolderPaths {
  readonly #names: Map<string, string>;
  readonly #labels: Set<string>;
  readonly #titles: Set<string>;
  readonly #before: ReadonlyMap<number, readonly GradedFolder[]>;

  /** @param home the folder of the course's submissions */
  constructor(
    private readonly kept: GradedFolders,
    private readonly courseId: number,
    readonly home: Path,
  ) {
    const all = kept.folders(courseId);
    this.#before = Map.groupBy(all, ({ assignment_id }) => assignment_id);
    this.#names = new Map(all.map((one) => [keyOf(one), one.name]));
    this.#labels = new Set(all.flatMap((one) => (one.assignment_id === 0 ? fold(one.name) : [])));
    this.#titles = new Set(all.flatMap((one) => (one.assignment_id > 0 && one.who === ofNoStudent ? fold(one.name) : [])));
  }

  ofAssignment({ id, name }: Pick<AssignmentJson, 'id' | 'name'>): Path {
    const known = this.#known(id, ofNoStudent, 0);
    return `${this.home}/${known ?? this.#keep(id, ofNoStudent, 0, uniqueName(localName(name), id, this.#titles))}`;
  }

  /** Known folders only. */
  ofKnownAssignment(assignmentId: number): Path | undefined {
    const known = this.#known(assignmentId, ofNoStudent, 0);
    return known === undefined ? undefined : `${this.home}/${known}`;
  }

  /** The folder of the newest attempt. */
  ofAttempt(assignment: AssignmentJson, one: GradedOne): { readonly path: Path; readonly attempt: number } {
    const attempt = one.work?.attempt ?? 0;
    const known = this.#known(assignment.id, one.who, attempt);
    const name = known ?? this.#keep(assignment.id, one.who, attempt, attemptFolder(this.#label(assignment, one), attempt));
    return { path: `${this.ofAssignment(assignment)}/${name}`, attempt };
  }

  /** The folders of an assignment's students that were known from the start, by name. */
  attemptsOf(assignmentId: number): ReadonlyMap<string, GradedFolder> {
    const own = (this.#before.get(assignmentId) ?? []).filter(({ who }) => who !== ofNoStudent);
    return new Map(own.map((one) => [fold(one.name), one]));
  }

  /** An anonymous id differs in each assignment, and is never linked to a name. */
  #label(assignment: AssignmentJson, { who, name }: GradedOne): string {
    const key = isGradedAnonymously(assignment) ? `${assignment.id} ${who}` : who;
    return this.#known(0, key, 0) ?? this.#keep(0, key, 0, studentLabel(name, who, this.#labels));
  }

  #known(assignment_id: number, who: string, attempt: number): string | undefined {
    return this.#names.get(keyOf({ assignment_id, who, attempt }));
  }

  #keep(assignment_id: number, who: string, attempt: number, name: string): string {
    this.kept.nameFolder({ course_id: this.courseId, assignment_id, who, attempt }, name);
    this.#names.set(keyOf({ assignment_id, who, attempt }), name);
    return name;
  }
}

const keyOf = ({ assignment_id, who, attempt }: Pick<GradedFolder, 'assignment_id' | 'who' | 'attempt'>): string =>
  `${assignment_id} ${attempt} ${who}`;

export const sheetOf = (folder: Path): Path => `${folder}/${gradesFile}`;
export const feedbackOf = (folder: Path): Path => `${folder}/${feedbackFolder}`;
