// The grades of a course: the total as the server has it, and what it is made of.

import type { GradedGroup, GradedRow, GradesView } from '../channels.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading } from '../place.ts';
import { moment } from '../words/dates.ts';

export function Grades({ course_id }: { course_id: number }) {
  const grades = useLive('courses', 'course.grades', { course_id });
  return (
    <Shown live={grades}>
      {(found) =>
        found.groups.length === 0 ? (
          <Blank icon="grades" title="Nothing is graded in this course." />
        ) : (
          <>
            <Total of={found} />
            {found.groups.map((group) => (
              <Group key={group.id} group={group} />
            ))}
          </>
        )
      }
    </Shown>
  );
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const percent = (value: number) => `${number.format(value)} %`;

const Total = ({ of: { is_hidden, score, grade, is_weighted } }: { of: GradesView }) => (
  <dl className="facts">
    <div>
      <dt>So far</dt>
      <dd>
        {is_hidden
          ? 'The teacher does not show the total.'
          : score === null
            ? 'Nothing is graded yet.'
            : [grade, percent(score)].filter(Boolean).join(' · ')}
      </dd>
    </div>
    <div>
      <dt>How it is made</dt>
      <dd>{is_weighted ? 'Groups count by their weight' : 'All points count alike'}</dd>
    </div>
  </dl>
);

function dropped({ drop_lowest, drop_highest }: GradedGroup): string | null {
  const parts = [drop_lowest > 0 && `the lowest ${drop_lowest}`, drop_highest > 0 && `the highest ${drop_highest}`].filter(Boolean);
  return parts.length === 0 ? null : `Not counted: ${parts.join(' and ')}`;
}

function Group({ group }: { group: GradedGroup }) {
  const { name, weight, points, points_possible, rows } = group;
  const notes = [weight !== null && `${percent(weight)} of the total`, dropped(group)].filter((note) => typeof note === 'string');
  return (
    <section className="graded" aria-labelledby={`group-${group.id}`}>
      <h2 id={`group-${group.id}`}>
        {name}
        {notes.map((note) => (
          <small key={note}>{note}</small>
        ))}
      </h2>
      <div className="graded-sheet">
        <table>
          <thead>
            <tr>
              <th scope="col">Work</th>
              <th scope="col" className="due">
                Due
              </th>
              <th scope="col" className="score">
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </tbody>
          {points_possible > 0 && (
            <tfoot>
              <tr>
                <th scope="row">Counted so far</th>
                <td className="due" />
                <td className="score">
                  {number.format(points)} of {number.format(points_possible)} <small>{percent((points / points_possible) * 100)}</small>
                </td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </section>
  );
}

const asides: Readonly<Record<NonNullable<GradedRow['aside']>, string>> = {
  'not graded yet': 'Not graded yet',
  excused: 'Excused',
  'not in the total': 'Not in the total',
  'no points': 'No points',
};

function Row({ row: { open, title, due_at, score, grade, points_possible, late, missing, aside } }: { row: GradedRow }) {
  const isPlain = grade === null || grade === String(score);
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
        {(late || missing || aside) && (
          <span className="tags">
            {missing && <Tag tone="bad">Missing</Tag>}
            {late && <Tag tone="warn">Late</Tag>}
            {aside && <Tag>{asides[aside]}</Tag>}
          </span>
        )}
      </th>
      <td className="due">{due_at ? <time dateTime={due_at}>{moment(due_at)}</time> : <span className="soft">no due date</span>}</td>
      <td className="score">
        {!isPlain && <b>{grade} </b>}
        {score === null ? '–' : number.format(score)}
        {points_possible !== null && <small> of {number.format(points_possible)}</small>}
      </td>
    </tr>
  );
}
