// The assignments of a course: open ones by due date, then the completed ones.

import type { PlannerEntry } from '../../contract/planner.ts';
import { t } from '../../language/texts.ts';
import { GradeLinks } from '../grading/GradeLinks.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Shown } from '../parts/Shown.tsx';
import { entryKeyOf, isDone } from '../today/days.ts';
import { PlannerRow } from '../today/PlannerRow.tsx';

const notes = () => undefined;

/** An observer has nothing to do: for them, missing work comes first. */
function partsOf(entries: readonly PlannerEntry[]): readonly (readonly [string, readonly PlannerEntry[]])[] {
  const left = entries.filter((entry) => !isDone(entry));
  const done = [t('done'), entries.filter(isDone)] as const;
  if (!entries.every((entry) => entry.observed)) return [[t('assignments.toDo'), left], done];
  return [[t('missing'), left.filter((entry) => entry.missing)], [t('observing.open'), left.filter((entry) => !entry.missing)], done];
}

export function CourseAssignments({ course_id }: { course_id: number }) {
  const assignments = useLive('planner', 'course.assignments', { course_id });
  const now = new Date();
  return (
    <Shown live={assignments}>
      {(entries) => {
        if (entries.length === 0) return <Blank icon="assignment" title={t('assignments.none')} />;
        const lists = partsOf(entries).map(([title, part]) =>
          part.length === 0 ? null : (
            <section key={title} className="day" aria-label={title}>
              <h2>
                {title}
                <small>{part.length}</small>
              </h2>
              <ul className="entries">
                {part.map((entry) => (
                  <PlannerRow
                    key={entryKeyOf(entry)}
                    entry={{ ...entry, course_name: null }}
                    edit={notes}
                    now={now}
                    withDay
                    known="assignments"
                  />
                ))}
              </ul>
            </section>
          ),
        );
        return (
          <>
            <GradeLinks course_id={course_id} />
            {lists}
          </>
        );
      }}
    </Shown>
  );
}
