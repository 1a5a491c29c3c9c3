// Entering grades: shown at once, stored by the engine, and undone with Ctrl+Z.

import { useCallback, useRef, useState } from 'react';
import type { GradebookCell, GradebookColumn, GradeEntry } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { complain, showToast } from '../parts/Toast.tsx';
import { type EnteredCells, keyOfCell } from './book.ts';
import { enteredCell, formerEntry } from './entry.ts';

interface Done {
  readonly column: GradebookColumn;
  readonly before: GradebookCell;
  readonly after: GradebookCell;
  readonly former: GradeEntry;
  /** Of the outbox. */
  readonly ids: Promise<readonly string[]>;
}

export interface Entries {
  readonly entered: EnteredCells;
  readonly enter: (column: GradebookColumn, before: GradebookCell, entry: GradeEntry) => Promise<boolean>;
  /** Undoes the last entry: from the outbox while it is unsent, otherwise by entering what was there before. */
  readonly undo: () => Promise<{ readonly user_id: number; readonly assignment_id: number } | undefined>;
}

const most = 200;

export function useEntries(course_id: number, readAgain: () => Promise<void>): Entries {
  const [entered, setEntered] = useState<EnteredCells>(new Map());
  const done = useRef<Done[]>([]);
  const turns = useRef(new Map<string, number>());

  /** Shows a cell until the view that has it is read; a later entry in the same cell keeps its own. */
  const showUntil = useCallback(
    async (cell: GradebookCell, work: Promise<unknown>) => {
      const key = keyOfCell(cell.user_id, cell.assignment_id);
      const turn = (turns.current.get(key) ?? 0) + 1;
      turns.current.set(key, turn);
      setEntered((before) => new Map(before).set(key, cell));
      try {
        await work;
        await readAgain();
      } finally {
        if (turns.current.get(key) === turn)
          setEntered((before) => {
            const after = new Map(before);
            after.delete(key);
            return after;
          });
      }
    },
    [readAgain],
  );

  const send = useCallback(
    (column: GradebookColumn, { user_id }: GradebookCell, entry: GradeEntry) =>
      call('gradebook.enter', { course_id, assignment_id: column.assignment_id, entries: [{ user_id, ...entry }] }),
    [course_id],
  );

  const enter = useCallback(
    async (column: GradebookColumn, before: GradebookCell, given: GradeEntry) => {
      // A grade ends an excuse.
      const entry = given.grade !== undefined && before.excused ? { ...given, excused: false } : given;
      const after = enteredCell(column, before, entry);
      const ids = send(column, before, entry);
      const one: Done = { column, before, after, former: formerEntry(before, entry), ids };
      done.current = [...done.current, one].slice(-most);
      try {
        await showUntil(after, ids);
        return true;
      } catch (failure) {
        done.current = done.current.filter((other) => other !== one);
        complain(failure);
        return false;
      }
    },
    [send, showUntil],
  );

  const undo = useCallback(async () => {
    const last = done.current.at(-1);
    if (!last) {
      showToast(t('book.nothingToUndo'));
      return undefined;
    }
    done.current = done.current.slice(0, -1);
    const { column, before, former } = last;
    const back = async () => {
      const ids = await last.ids;
      // An earlier unsent entry of the cell may have been merged with this one, and would be taken back with it.
      const isAlone = before.unsent === null;
      const taken = isAlone && (await Promise.all(ids.map((id) => call('outbox.take_back', { id })))).every(Boolean);
      if (!taken) await send(column, before, former);
    };
    try {
      await showUntil(before, back());
      showToast(t('book.undone', { title: column.title }));
    } catch (failure) {
      complain(failure);
    }
    return { user_id: before.user_id, assignment_id: column.assignment_id };
  }, [send, showUntil]);

  return { entered, enter, undo };
}
