// The assignments of a course: open ones by due date, then the completed ones.

import { t } from '../../language/texts.ts';
import { GradeLinks } from '../grading/GradeLinks.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Shown } from '../parts/Shown.tsx';
import { entryKeyOf, isDone } from '../today/days.ts';
import { PlannerRow } from '../today/PlannerRow.tsx';

const notes = () => undefined;

export function CourseAssignments({ course_id }: { course_id: number }) {
  const assignments = useLive('planner', 'course.assignments', { course_id });
  const now = new Date();
  return (
    <Shown live={assignments}>
      {(entries) => {
        if (entries.length === 0) return <Blank icon="assignment" title={t('assignments.none')} />;
        const parts = [
          [t('assignments.toDo'), entries.filter((entry) => !isDone(entry))],
          [t('done'), entries.filter(isDone)],
        ] as const;
        const lists = parts.map(([title, part]) =>
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
