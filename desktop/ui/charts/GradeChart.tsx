// The grades of a course by date: one bar per score, with the running total.

import type { GradesView } from '../../contract/grades.ts';
import { percent } from '../../language/amounts.ts';
import { inLocale, t } from '../../language/texts.ts';

const height = 140;
const widest = 84;
const whole = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));

export function GradeChart({ of: { groups, score, is_hidden } }: { of: GradesView }) {
  const rows = groups
    .flatMap(({ rows: all }) => all)
    .flatMap(({ id, title, due_at, score: reached, points_possible }) =>
      reached !== null && points_possible ? [{ id, title, due_at: due_at ?? '9999', share: reached / points_possible }] : [],
    )
    .sort((a, b) => a.due_at.localeCompare(b.due_at) || a.id - b.id);
  if (rows.length < 2) return null;
  const column = Math.min(widest, 640 / rows.length);
  const width = rows.length * column;
  const top = Math.max(1, ...rows.map(({ share }) => share));
  const y = (share: number) => height - (Math.max(0, share) / top) * (height - 20);
  const line = !is_hidden && score !== null ? score / 100 : null;
  return (
    <figure className="chart">
      <figcaption>{t('gradeChart.title')}</figcaption>
      <svg
        width={width * 1.3}
        viewBox={`0 0 ${width} ${height + 6}`}
        role="img"
        aria-label={t('gradeChart.described', { count: rows.length })}
      >
        {line !== null && <path className="chart-line" d={`M0 ${y(line)}H${width}`} />}
        {rows.map(({ id, title, share }, nth) => (
          <g key={id}>
            <title>{`${title}: ${percent(share)}`}</title>
            <rect
              data-low={share < 0.6}
              x={nth * column + column * 0.18}
              y={y(share)}
              width={column * 0.64}
              height={Math.max(2, height - y(share))}
              rx={2}
            />
            <text className="chart-value" x={nth * column + column / 2} y={y(share) - 5}>
              {whole().format(share * 100)}
            </text>
          </g>
        ))}
        <path className="chart-floor" d={`M0 ${height}H${width}`} />
      </svg>
      {line !== null && <p className="chart-note">{t('gradeChart.total', { share: percent(line) })}</p>}
    </figure>
  );
}
