// The grades of a course: the total as the server calculates it, and the scores behind it.

import { useRef, useState } from 'react';
import type { GradedGroup, GradedRow, GradesView } from '../../contract/grades.ts';
import { exactPercent } from '../../language/amounts.ts';
import { moment } from '../../language/dates.ts';
import { inLocale, type MessageKey, t } from '../../language/texts.ts';
import { GradeChart } from '../charts/GradeChart.tsx';
import { decimalIn } from '../gradebook/entry.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { rich } from '../parts/rich.ts';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading } from '../routes.ts';

export function GradesTab({ course_id }: { course_id: number }) {
  const [period, setPeriod] = useState<number | undefined>();
  const [assumed, setAssumed] = useState<Assumed | null>(null);
  const grades = useLive('courses', 'course.grades', {
    course_id,
    ...(period !== undefined && { grading_period_id: period }),
    ...(assumed && { what_if: [...assumed].map(([assignment_id, score]) => ({ assignment_id, score })) }),
  });
  const last = useRef(grades.value);
  last.current = grades.value ?? last.current;
  // While the next total is computed, the last one stays.
  const shown = { ...grades, value: last.current };
  const assume = (id: number, score: number | null | undefined) => {
    const next = new Map(assumed);
    if (score === undefined) next.delete(id);
    else next.set(id, score);
    setAssumed(next);
  };
  return (
    <Shown live={shown}>
      {(found) =>
        found.groups.length === 0 && period === undefined ? (
          <Blank icon="grades" title={t('grades.none')} />
        ) : (
          <>
            {found.student !== null && (
              <p className="soft">{t('observing.gradesOf', { name: found.student || t('observing.theStudent') })}</p>
            )}
            <div className="grade-summary">
              <Total of={found} />
              <GradeChart of={found} />
            </div>
            <Asking of={found} period={period} setPeriod={setPeriod} assumed={assumed} setAssumed={setAssumed} />
            {found.groups.map((group) => (
              <Group key={group.id} group={group} assume={assumed && assume} />
            ))}
          </>
        )
      }
    </Shown>
  );
}

const number = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));

const Total = ({ of: { student, is_hidden, score, grade, is_weighted } }: { of: GradesView }) => (
  <dl className="facts">
    <div>
      <dt>{t('grades.soFar')}</dt>
      <dd>
        {is_hidden
          ? t(student === null ? 'grades.hidden' : 'observing.hidden')
          : score === null
            ? t('grades.nothingYet')
            : [grade, exactPercent(score / 100)].filter(Boolean).join(' · ')}
      </dd>
    </div>
    <div>
      <dt>{t('grades.howMade')}</dt>
      <dd>{is_weighted ? t('grades.byWeight') : t('grades.byPoints')}</dd>
    </div>
  </dl>
);

type Assumed = ReadonlyMap<number, number | null>;
/** Undefined: the score that the student has. */
type Assume = (assignment_id: number, score: number | null | undefined) => void;

interface AskingGiven {
  readonly of: GradesView;
  readonly period: number | undefined;
  readonly setPeriod: (id: number | undefined) => void;
  readonly assumed: Assumed | null;
  readonly setAssumed: (assumed: Assumed | null) => void;
}

/** The choice of a grading period, and what other scores would lead to. */
function Asking({ of: { student, is_hidden, periods, computed }, period, setPeriod, assumed, setAssumed }: AskingGiven) {
  const mayAssume = student === null && !is_hidden;
  if (periods.length === 0 && !mayAssume) return null;
  const total = computed?.score == null ? t('grades.cannotCompute') : exactPercent(computed.score / 100);
  return (
    <div className="grade-asking">
      {periods.length > 0 && (
        <label>
          <span>{t('grades.period')}</span>
          <select value={period ?? ''} onChange={({ target }) => setPeriod(target.value === '' ? undefined : Number(target.value))}>
            <option value="">{t('grades.allPeriods')}</option>
            {periods.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {mayAssume && (
        <button type="button" aria-pressed={assumed !== null} onClick={() => setAssumed(assumed === null ? new Map() : null)}>
          {t(assumed === null ? 'grades.whatIf' : 'grades.whatIfEnd')}
        </button>
      )}
      {computed && !is_hidden && (
        <p role="status">
          {t(assumed !== null ? 'grades.withThese' : 'grades.inPeriod')} <b>{total}</b>
          {assumed !== null && <small>{t('grades.whatIfMeans')}</small>}
        </p>
      )}
    </div>
  );
}

interface AssumedGiven {
  readonly title: string;
  readonly score: number | null;
  readonly is_assumed: boolean;
  readonly assume: (score: number | null | undefined) => void;
}

/** An empty field assumes no score. */
function AssumedField({ title, score, is_assumed, assume }: AssumedGiven) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <>
      <input
        className="grade-assumed"
        inputMode="decimal"
        data-assumed={is_assumed}
        aria-label={t('grades.assumedFor', { title })}
        value={typed ?? (score === null ? '' : decimalIn(score))}
        onChange={({ target }) => {
          setTyped(target.value);
          const value = target.value.trim().replace(',', '.');
          if (value === '' || /^-?\d*\.?\d+$/.test(value)) assume(value === '' ? null : Number(value));
        }}
        onBlur={() => setTyped(null)}
      />
      {is_assumed && (
        <button type="button" className="quiet icon-only" aria-label={t('grades.ownScore', { title })} onClick={() => assume(undefined)}>
          <Icon name="close" />
        </button>
      )}
    </>
  );
}

function dropped({ drop_lowest, drop_highest }: GradedGroup): string | null {
  const given = { lowest: drop_lowest, highest: drop_highest };
  if (drop_lowest > 0) return t(drop_highest > 0 ? 'grades.dropBoth' : 'grades.dropLowest', given);
  return drop_highest > 0 ? t('grades.dropHighest', given) : null;
}

function Group({ group, assume }: { group: GradedGroup; assume: Assume | null }) {
  const { name, weight, points, points_possible, rows } = group;
  const notes = [weight !== null && t('grades.weight', { share: exactPercent(weight / 100) }), dropped(group)].filter(
    (note) => typeof note === 'string',
  );
  return (
    <section className="graded" aria-labelledby={`group-${group.id}`}>
      <h2 id={`group-${group.id}`}>
        {name}
        {notes.map((note) => (
          <small key={note}>{note}</small>
        ))}
      </h2>
      <div className="graded-sheet">
        <table aria-labelledby={`group-${group.id}`}>
          <thead>
            <tr>
              <th scope="col">{t('grades.work')}</th>
              <th scope="col" className="due">
                {t('due')}
              </th>
              <th scope="col" className="score">
                {t('grades.score')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} assume={assume} />
            ))}
          </tbody>
          {points_possible > 0 && (
            <tfoot>
              <tr>
                <th scope="row">{t('grades.counted')}</th>
                <td className="due" />
                <td className="score">
                  {rich('grades.pointsOf', {
                    points: number().format(points),
                    possible: number().format(points_possible),
                    share: exactPercent(points / points_possible),
                    small: (text) => <small>{text}</small>,
                  })}
                </td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </section>
  );
}

const asides: Readonly<Record<Exclude<NonNullable<GradedRow['aside']>, 'not graded yet'>, MessageKey>> = {
  excused: 'grades.excused',
  'not in the total': 'grades.notInTotal',
  'no points': 'grades.noPoints',
  dropped: 'grades.dropped',
};

function Row({ row, assume }: { row: GradedRow; assume: Assume | null }) {
  const { id, open, title, due_at, score, grade, points_possible, late, missing, aside, is_assumed } = row;
  const isPlain = grade === null || grade === String(score);
  // Rows without a grade already show that in the score column.
  const said = aside && aside !== 'not graded yet' ? asides[aside] : null;
  return (
    <tr data-aside={aside !== null}>
      <th scope="row">
        <a data-stop href={addressOfReading(open)}>
          {title}
        </a>
        {due_at && (
          <small className="due-below">
            <time dateTime={due_at}>{moment(due_at)}</time>
          </small>
        )}
        {(late || missing || said) && (
          <span className="tags">
            {missing && <Tag tone="bad">{t('missing')}</Tag>}
            {late && <Tag tone="warn">{t('late')}</Tag>}
            {said && <Tag>{t(said)}</Tag>}
          </span>
        )}
      </th>
      <td className="due">{due_at ? <time dateTime={due_at}>{moment(due_at)}</time> : <span className="soft">{t('due.none')}</span>}</td>
      <td className="score">
        {!isPlain && <b>{grade} </b>}
        {assume ? (
          <AssumedField title={title} score={score} is_assumed={is_assumed} assume={(next) => assume(id, next)} />
        ) : score === null ? (
          <>
            <span aria-hidden="true">{'–'}</span>
            <span className="sr-only">{t('grades.noScore')}</span>
          </>
        ) : (
          number().format(score)
        )}
        {points_possible !== null && points_possible > 0 && (
          <small> {t('grades.of', { possible: number().format(points_possible) })}</small>
        )}
      </td>
    </tr>
  );
}
