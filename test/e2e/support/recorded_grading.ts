// More of the recorded library: a gradebook with every state, and the grading view of its assignments.

import type { Channel, ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type {
  GradebookCell,
  GradebookColumn,
  GradebookRow,
  GradebookView,
  GradeEntry,
  GradingComment,
  GradingConflict,
  RubricMark,
} from '@carrel/desktop/contract/gradebook';
import type { WritingPlace } from '@carrel/desktop/contract/writing';
import { recordedAttempts, recordedCell, recordedColumn, recordedCriteria, recordedLetters, recordedStudent } from './recorded_class.ts';

const hours = 3_600_000;

type GradingChannel = Extract<Channel, `gradebook.${string}` | `grading.${string}`>;
type Channels = { readonly [C in GradingChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

export interface Teaching {
  readonly course_id: number;
  readonly students: number;
  readonly assignments: number;
  readonly choice?: GradebookView['choice'];
  readonly isLoading?: boolean;
  /** What is in the folders: changes by default. */
  readonly folders?: 'off' | 'empty' | 'offline' | 'outdated';
}

function scoreOf({ grading_type, points_possible }: GradebookColumn, grade: string): number | null {
  if (grading_type === 'pass_fail') return grade === 'complete' ? points_possible : 0;
  if (recordedLetters.includes(grade)) return 98 - recordedLetters.indexOf(grade) * 6;
  return grade.endsWith('%') ? (Number.parseFloat(grade) * (points_possible ?? 0)) / 100 : Number(grade);
}

function entered(column: GradebookColumn, cell: GradebookCell, { grade, excused, status }: GradeEntry): GradebookCell {
  if (excused) return { ...cell, excused, score: null, grade: null, missing: false, needs_grading: false };
  const open = { ...cell, excused: excused ?? cell.excused, ...(status && { late: status === 'late', missing: status === 'missing' }) };
  if (grade === undefined) return open;
  if (grade === null) return { ...open, grade: null, score: null, needs_grading: open.attempt > 0 };
  if (grade.startsWith('-')) throw new Error('A grade must not be negative.');
  return { ...open, grade, score: scoreOf(column, grade), missing: false, needs_grading: false };
}

/** Other cells are left out, as the engine does. */
const saysSomething = ({ score, grade, attempt, excused, missing, late, comments, unsent }: GradebookCell) =>
  score !== null || grade !== null || attempt > 0 || excused || missing || late || comments > 0 || unsent !== null;

export function recordedGrading(
  now: Date,
  teaching: Teaching | null,
  changed: () => void,
  finish: (place: WritingPlace | undefined) => void,
) {
  let choice = teaching?.choice ?? 'chosen';
  const columns = Array.from({ length: teaching?.assignments ?? 0 }, (_, at) => recordedColumn(at, now));
  const rows = Array.from({ length: teaching?.students ?? 0 }, (_, at) => recordedStudent(at));
  const cells = new Map<string, GradebookCell>();
  const key = (user_id: number, assignment_id: number) => `${user_id} ${assignment_id}`;
  rows.forEach((row, r) => {
    columns.forEach((column, c) => {
      const cell = recordedCell(row, column, [r, c], now);
      if (cell) cells.set(key(row.user_id, column.assignment_id), cell);
    });
  });
  const comments = new Map<string, GradingComment[]>();
  const marks = new Map<string, Record<string, RubricMark>>();
  const conflicts = new Map<string, GradingConflict>();
  /** As they were before each entry that is not sent. */
  const undo = new Map<string, { readonly cell: GradebookCell; readonly comments: GradingComment[] }>();
  let entries = 0;
  const set = (cell: GradebookCell) => cells.set(key(cell.user_id, cell.assignment_id), cell);
  // Two students whose grades need a decision: someone else graded, and a new attempt came in.
  for (const [at, why] of [
    [2, 'graded meanwhile'],
    [3, 'newer attempt'],
  ] as const) {
    const [row, column] = [rows[at], columns[0]];
    if (!row || !column) continue;
    const id = `conflict-${at}`;
    const cell = cells.get(key(row.user_id, column.assignment_id)) ?? recordedCell(row, column, [1, 1], now);
    if (!cell) continue;
    set({
      ...cell,
      score: 17,
      grade: '17',
      excused: false,
      missing: false,
      needs_grading: false,
      unsent: { id, hold: why, refused: null },
    });
    conflicts.set(id, {
      id,
      why,
      mine: { grade: '17', comment: 'A careful report; the map is missing a scale.' },
      theirs: {
        grade: '14.5',
        score: 14.5,
        excused: false,
        attempt: 2,
        graded_at: new Date(now.getTime() - 2 * hours).toISOString(),
        grader: 'Ingrid Holm',
      },
    });
  }

  const totalOf = (row: GradebookRow): GradebookRow => {
    let [points, possible, all] = [0, 0, 0];
    for (const column of columns) {
      const cell = cells.get(key(row.user_id, column.assignment_id));
      if (!cell || cell.excused) continue;
      all += column.points_possible ?? 0;
      if (cell.score === null) continue;
      points += cell.score;
      possible += column.points_possible ?? 0;
    }
    if (possible === 0) return row;
    const current_score = Math.round((points / possible) * 10_000) / 100;
    return {
      ...row,
      current_score,
      current_grade: recordedLetters[Math.min(8, Math.floor((100 - current_score) / 6))] ?? null,
      final_score: Math.round((points / all) * 10_000) / 100,
    };
  };

  const unassigned = ({ assignment_id }: GradebookColumn) =>
    rows.flatMap(({ user_id }) => (cells.has(key(user_id, assignment_id)) ? [] : [user_id]));

  const viewOf = (course_id: number): GradebookView => {
    const isChosen = choice === 'chosen';
    return {
      course_id,
      choice,
      is_loading: teaching?.isLoading ?? false,
      may_grade: true,
      is_weighted: false,
      groups: [
        { id: 1, name: 'Reports', weight: null },
        { id: 2, name: 'Fieldwork', weight: null },
        { id: 3, name: 'Quizzes and reading', weight: null },
      ],
      sections: [
        { id: 51, name: 'Monday group' },
        { id: 52, name: 'Thursday group' },
      ],
      columns: isChosen ? columns.map((column) => ({ ...column, unassigned: unassigned(column) })) : [],
      rows: isChosen ? rows.map(totalOf) : [],
      cells: isChosen ? [...cells.values()].filter(saysSomething) : [],
    };
  };

  const channels: Channels = {
    'gradebook.open': async ({ course_id }) => (teaching?.course_id === course_id ? viewOf(course_id) : null),
    'gradebook.post': async () => null,
    'gradebook.choose': async ({ chosen }) => {
      choice = chosen ? 'chosen' : 'not chosen';
      changed();
      return null;
    },
    'gradebook.enter': async ({ assignment_id, entries: given, finished }) => {
      const column = columns.find((one) => one.assignment_id === assignment_id);
      if (!column) throw new Error('There is no such assignment.');
      const ids = given.map(({ user_id, ...entry }) => {
        const at = key(user_id, assignment_id);
        const cell = cells.get(at);
        if (!cell) throw new Error('The student is not assigned.');
        const id = `grade-${++entries}`;
        const said = comments.get(at) ?? [];
        undo.set(id, { cell, comments: said });
        const unsent = { id, hold: null, refused: null };
        if (entry.comment)
          comments.set(at, [
            ...said,
            { id: null, author: null, is_mine: true, text: entry.comment, created_at: now.toISOString(), files: [], unsent },
          ]);
        if (entry.rubric) marks.set(at, { ...entry.rubric });
        const points = Object.values(entry.rubric ?? {}).reduce((sum, mark) => sum + (mark.points ?? 0), 0);
        set({
          ...entered(column, cell, entry.rubric ? { ...entry, grade: String(points) } : entry),
          comments: cell.comments + (entry.comment ? 1 : 0),
          unsent,
        });
        return id;
      });
      finish(finished);
      changed();
      return ids;
    },
    'grading.queue': async ({ course_id, assignment_id }) => {
      const column = columns.find((one) => one.assignment_id === assignment_id);
      if (!column || teaching?.course_id !== course_id || choice !== 'chosen' || column.is_anonymous) return null;
      return {
        assignment_id,
        title: column.title,
        students: rows.flatMap(({ user_id, name }) => {
          const cell = cells.get(key(user_id, assignment_id));
          if (!cell) return [];
          const state = cell.excused ? 'excused' : cell.needs_grading ? 'to grade' : cell.score !== null ? 'graded' : 'nothing';
          return [
            { user_id, name, state, is_unsent: cell.unsent !== null, has_conflict: cell.unsent !== null && conflicts.has(cell.unsent.id) },
          ] as const;
        }),
      };
    },
    'grading.open': async ({ course_id, assignment_id, user_id }) => {
      const [column, row] = [columns.find((one) => one.assignment_id === assignment_id), rows.find((one) => one.user_id === user_id)];
      const at = key(user_id, assignment_id);
      const cell = cells.get(at);
      if (!column || !row || !cell) return null;
      return {
        course_id,
        assignment: column,
        student: row,
        cell,
        attempts: recordedAttempts(row, cell, now),
        comments: [
          ...(cell.comments > (comments.get(at)?.length ?? 0)
            ? [
                {
                  id: 1,
                  author: row.name,
                  is_mine: false,
                  text: 'I could not finish the last transect: the tide was in.',
                  created_at: cell.submitted_at,
                  files: ['transect.jpg'],
                  unsent: null,
                },
              ]
            : []),
          ...(comments.get(at) ?? []),
        ],
        rubric: column.assignment_id === 302 ? { criteria: recordedCriteria, marks: marks.get(at) ?? {}, gives_grade: true } : null,
        conflict: (cell.unsent && conflicts.get(cell.unsent.id)) ?? null,
      };
    },
    'grading.resolve': async ({ id, with: side }) => {
      const conflict = conflicts.get(id);
      const cell = [...cells.values()].find(({ unsent }) => unsent?.id === id);
      if (!conflict || !cell) return null;
      conflicts.delete(id);
      if (side === 'mine') set({ ...cell, unsent: { id, hold: null, refused: null } });
      else set({ ...cell, grade: conflict.theirs.grade, score: conflict.theirs.score, unsent: null });
      changed();
      return null;
    },
  };
  return {
    channels,
    takeBack(id: string): boolean {
      const before = undo.get(id);
      if (!before) return false;
      undo.delete(id);
      set(before.cell);
      comments.set(key(before.cell.user_id, before.cell.assignment_id), before.comments);
      changed();
      return true;
    },
    /** As after a sync: nothing is unsent, and nothing can be taken back. */
    send() {
      undo.clear();
      for (const cell of cells.values()) if (cell.unsent && !conflicts.has(cell.unsent.id)) set({ ...cell, unsent: null });
      changed();
    },
  };
}
