// The grading view: the work of one student, and beside it the grade, the rubric and the comments.

import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { GradingQueue } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { keyOfCell } from '../gradebook/book.ts';
import { StateTags } from '../gradebook/Selected.tsx';
import { useEntries } from '../gradebook/useEntries.ts';
import { useLive } from '../live.ts';
import { Blank, LoadFailure, Loading } from '../parts/Blank.tsx';
import { Shown } from '../parts/Shown.tsx';
import { hrefOf } from '../routes.ts';
import { CommentForm, CommentList } from './Comments.tsx';
import { GradeConflict } from './Conflict.tsx';
import { GradePanel } from './GradePanel.tsx';
import { nextToGrade } from './next.ts';
import { RubricPanel } from './RubricPanel.tsx';
import { StudentWalk } from './Students.tsx';
import { Titled } from './Titled.tsx';
import { Elsewhere, NoQueue } from './Unavailable.tsx';
import { useGrading } from './useGrading.ts';
import { WorkOfStudent } from './Work.tsx';

interface Given {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly user_id: number | null;
}

export function GradingPage({ course_id, assignment_id, user_id }: Given) {
  const queue = useLive('courses', 'grading.queue', { course_id, assignment_id });
  return (
    <div className="grading" data-cloth={cloth(course_id)}>
      <Shown live={queue}>
        {(found) => {
          if (!found) return <NoQueue course_id={course_id} assignment_id={assignment_id} />;
          const student = found.students.find((one) => one.user_id === user_id) ?? nextToGrade(found.students, null) ?? found.students[0];
          if (!student)
            return (
              <Titled title={found.title} course_id={course_id}>
                <Blank icon="people" title={t('book.noStudents')} />
              </Titled>
            );
          return (
            <Grading queue={found} place={{ course_id, assignment_id, user_id: student.user_id }} isGiven={student.user_id === user_id} />
          );
        }}
      </Shown>
    </div>
  );
}

interface GradingGiven {
  readonly queue: GradingQueue;
  readonly place: { readonly course_id: number; readonly assignment_id: number; readonly user_id: number };
  /** The address names this student. */
  readonly isGiven: boolean;
}

function Grading({ queue, place, isGiven }: GradingGiven) {
  const { course_id, assignment_id, user_id } = place;
  const { value: view, failure, readAgain, ...neighbours } = useGrading(place, queue.students);
  const { entered, enter, undo } = useEntries(course_id, readAgain);
  const field = useRef<HTMLInputElement | HTMLSelectElement>(null);
  const toField = useRef(false);
  const open = (next: number) => location.replace(hrefOf({ at: 'grade', course_id, assignment_id, user_id: next }));
  useEffect(() => {
    if (!isGiven) location.replace(hrefOf({ at: 'grade', course_id, assignment_id, user_id }));
  }, [isGiven, course_id, assignment_id, user_id]);
  const isOpen = view !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the next student is shown
  useEffect(() => {
    if (!isOpen || !toField.current) return;
    toField.current = false;
    field.current?.focus();
  }, [isOpen, user_id]);
  useUndoKey(undo);
  /** From the field to the next student, whose field takes the focus. */
  const onMove = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    const { toGrade, next, previous } = neighbours;
    const isNext = key === 'Enter' && (shiftKey || ctrlKey || metaKey);
    const to = isNext ? (toGrade ?? next) : key === 'PageDown' ? next : key === 'PageUp' ? previous : undefined;
    if (!to) return isNext;
    toField.current = true;
    open(to.user_id);
    return true;
  };
  const cell = view ? (entered.get(keyOfCell(user_id, assignment_id)) ?? view.cell) : undefined;
  return (
    <Titled title={queue.title} course_id={course_id}>
      {!view?.assignment.is_anonymous && <StudentWalk queue={queue} user_id={user_id} open={open} {...neighbours} />}
      {failure && view === undefined && <LoadFailure failure={failure} readAgain={readAgain} />}
      {!failure && view === undefined && <Loading />}
      {view === null && <Blank icon="assignment" title={t('grading.notHere')} />}
      {view?.assignment.is_anonymous && <Elsewhere course_id={course_id} assignment_id={assignment_id} />}
      {view && cell && !view.assignment.is_anonymous && (
        <div className="grading-desk">
          <div className="grading-left">
            <div className="grading-who">
              <h2>
                <bdi>{view.student.name}</bdi>
              </h2>
              <span className="tags">
                <StateTags cell={cell} />
              </span>
            </div>
            {view.conflict && <GradeConflict key={view.conflict.id} column={view.assignment} conflict={view.conflict} />}
            <WorkOfStudent key={user_id} {...place} name={view.student.name} attempts={view.attempts} />
          </div>
          <aside className="grading-panel" aria-label={t('grading.panel')}>
            <GradePanel
              column={view.assignment}
              cell={cell}
              field={field}
              enter={(entry) => void enter(view.assignment, cell, entry)}
              onMove={onMove}
            />
            {view.rubric && <RubricPanel key={user_id} at={place} rubric={view.rubric} isOff={!view.assignment.may_grade} />}
            <section className="grading-talk" aria-labelledby="grading-talk">
              <h2 id="grading-talk">{t('grading.comments')}</h2>
              <CommentList of={view.comments} />
              {view.assignment.may_grade && <CommentForm at={place} />}
            </section>
          </aside>
        </div>
      )}
    </Titled>
  );
}

/** Ctrl+Z outside of text fields undoes the last grade. */
function useUndoKey(undo: () => Promise<unknown>) {
  const latest = useRef(undo);
  latest.current = undo;
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, target } = event;
      const isText = target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea') !== null;
      if (!(ctrlKey || metaKey) || shiftKey || key.toLowerCase() !== 'z' || isText) return;
      event.preventDefault();
      void latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
