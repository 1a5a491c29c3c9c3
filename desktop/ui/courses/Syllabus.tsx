// The syllabus of a course: the teacher's text, and everything with a date in order.

import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Sheet } from '../reader/Sheet.tsx';
import { addressOfReading } from '../routes.ts';
import { isDone } from '../today/days.ts';
import { VersionsLink } from '../versions/Link.tsx';

export function Syllabus({ course_id }: { course_id: number }) {
  const syllabus = useLive('courses', 'reader.open', { kind: 'syllabus', course_id, id: course_id });
  const work = useLive('planner', 'course.assignments', { course_id });
  return (
    <Shown live={syllabus}>
      {(found) => {
        const dated = work.value ?? [];
        if (!found && dated.length === 0) return <Blank icon="page" title={t('syllabus.none')} />;
        return (
          <div className="syllabus">
            {found ? <Sheet reading={found} letters={1} /> : <p className="soft">{t('syllabus.noText')}</p>}
            {found && <VersionsLink reading={found} />}
            {dated.length > 0 && (
              <section className="graded" aria-labelledby="dates">
                <h2 id="dates">{t('syllabus.dates')}</h2>
                <div className="graded-sheet">
                  <table aria-labelledby="dates">
                    <thead>
                      <tr>
                        <th scope="col">{t('grades.work')}</th>
                        <th scope="col">{t('due')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {dated.map((entry) => (
                        <tr key={`${entry.plannable_type}-${entry.plannable_id}`} data-aside={isDone(entry)}>
                          <th scope="row">
                            <a
                              data-stop
                              href={addressOfReading({
                                kind: entry.plannable_type === 'discussion_topic' ? 'discussion_topic' : 'assignment',
                                course_id,
                                id: entry.plannable_id,
                              })}
                            >
                              {entry.title}
                            </a>
                          </th>
                          <td>
                            {entry.date ? (
                              <time dateTime={entry.date}>{moment(entry.date)}</time>
                            ) : (
                              <span className="soft">{t('due.none')}</span>
                            )}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              </section>
            )}
          </div>
        );
      }}
    </Shown>
  );
}
