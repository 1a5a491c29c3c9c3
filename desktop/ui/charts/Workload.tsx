// The workload of the next weeks: one bar per week, divided by course.

import { wireTime } from '@carrel/shared/wire/clock';
import { useMemo } from 'react';
import { addDays, dayOf, shortDay } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { isDone, waitsForMe } from '../today/days.ts';

const many = 8;
const height = 120;
const column = 60;

export function Workload() {
  const today = dayOf(new Date());
  const given = useMemo(() => {
    const start = new Date(`${today}T00:00:00`);
    return { from: wireTime(start), to: wireTime(addDays(start, many * 7)) };
  }, [today]);
  const planner = useLive('planner', 'today.list', given);
  const left = (planner.value ?? []).filter((entry) => waitsForMe(entry) && !isDone(entry));
  if (left.length === 0) return null;
  const start = new Date(`${today}T12:00:00`);
  const weeks = Array.from({ length: many }, (_, nth) => {
    const [from, to] = [dayOf(addDays(start, nth * 7)), dayOf(addDays(start, (nth + 1) * 7))];
    const inside = left.filter(({ date }) => dayOf(new Date(date)) >= from && dayOf(new Date(date)) < to);
    return { from, inside };
  });
  const most = Math.max(...weeks.map(({ inside }) => inside.length));
  const courses = [...new Map(left.map((entry) => [entry.course_id, entry.course_name])).entries()];
  return (
    <figure className="chart">
      <figcaption>{t('workload.title', { count: left.length })}</figcaption>
      <svg
        width={many * column * 1.4}
        viewBox={`0 0 ${many * column} ${height + 30}`}
        role="img"
        aria-label={t('workload.described', { most })}
      >
        {weeks.map(({ from, inside }, nth) => {
          let base = height;
          return (
            <g key={from}>
              {courses.map(([course]) => {
                const part = (inside.filter((entry) => entry.course_id === course).length / most) * (height - 22);
                base -= part;
                return part === 0 ? null : (
                  <rect
                    key={course ?? 0}
                    data-cloth={cloth(course)}
                    x={nth * column + 14}
                    y={base}
                    width={column - 28}
                    height={part}
                    rx={2}
                  />
                );
              })}
              {inside.length > 0 && (
                <text className="chart-value" x={nth * column + column / 2} y={base - 6}>
                  {inside.length}
                </text>
              )}
              <text x={nth * column + column / 2} y={height + 18}>
                {shortDay().format(new Date(`${from}T12:00:00`))}
              </text>
            </g>
          );
        })}
        <path className="chart-floor" d={`M0 ${height}H${many * column}`} />
      </svg>
      {/* The same data for screen readers. */}
      <ul className="sr-only">
        {weeks.map(({ from, inside }) => (
          <li key={from}>
            {t('workload.week', { from: shortDay().format(new Date(`${from}T12:00:00`)), count: inside.length })}
            {courses
              .map(([course, name]) => [name ?? t('workload.own'), inside.filter((entry) => entry.course_id === course).length] as const)
              .filter(([, count]) => count > 0)
              .map(([name, count]) => `; ${name}: ${count}`)}
          </li>
        ))}
      </ul>
      <ul className="chart-key">
        {courses.map(([course, name]) => (
          <li key={course ?? 0} data-cloth={cloth(course)}>
            {name ?? t('workload.own')}
          </li>
        ))}
      </ul>
    </figure>
  );
}
