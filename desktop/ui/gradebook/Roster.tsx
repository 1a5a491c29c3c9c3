// The students of a course for those who grade in it: sections, last activity and score, and messages to one, several or a section.

import { useMemo, useState } from 'react';
import type { PersonCard } from '../../contract/conversations.ts';
import type { GradebookRow, GradebookView } from '../../contract/gradebook.ts';
import { exactPercent } from '../../language/amounts.ts';
import { howLongAgo, moment } from '../../language/dates.ts';
import { inLocale, type MessageKey, t } from '../../language/texts.ts';
import { Compose } from '../inbox/Compose.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Find } from '../parts/Find.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { bookOf, bookShapeOf, noFilter, readCells } from './book.ts';
import { NotChosen } from './NotChosen.tsx';

export function RosterTab({ course_id }: { course_id: number }) {
  const book = useLive('courses', 'gradebook.open', { course_id });
  return (
    <Shown live={book}>
      {(view) => {
        if (view === null) return <Blank icon="people" title={t('book.noStudents')} />;
        if (view.choice !== 'chosen') return <NotChosen view={view} />;
        return <Roster view={view} />;
      }}
    </Shown>
  );
}

const localeOf = inLocale((locale) => locale);
const cardOf = ({ user_id, name }: GradebookRow): PersonCard => ({ id: user_id, name });

function Roster({ view }: { view: GradebookView }) {
  const [filter, setFilter] = useState(noFilter);
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [to, setTo] = useState<readonly PersonCard[] | null>(null);
  const book = useMemo(() => bookOf(view, readCells(view), new Map()), [view]);
  const { users } = bookShapeOf(book, filter, { by: 'name', descending: false }, localeOf());
  const rows = users.flatMap((id) => view.rows.find(({ user_id }) => user_id === id) ?? []);
  const chosen = rows.filter(({ user_id }) => picked.has(user_id));
  const meant = chosen.length > 0 ? chosen : rows;
  const pick = (id: number) => setPicked((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  if (view.rows.length === 0)
    return (
      <Blank icon="people" title={t('book.noStudents')}>
        {view.is_loading && <p>{t('book.loading')}</p>}
      </Blank>
    );
  return (
    <>
      <search className="book-filter">
        <Find says={t('book.find')} value={filter.name} onChange={(name) => setFilter({ ...filter, name })} />
        {view.sections.length > 1 && (
          <label>
            <span className="sr-only">{t('book.section')}</span>
            <select
              value={filter.section ?? ''}
              onChange={({ target }) => setFilter({ ...filter, section: target.value === '' ? null : Number(target.value) })}
            >
              <option value="">{t('book.allSections')}</option>
              {view.sections.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className="check">
          <input type="checkbox" checked={filter.everyone} onChange={({ target }) => setFilter({ ...filter, everyone: target.checked })} />
          <span>{t('book.everyone')}</span>
        </label>
        <button type="button" data-key="n" disabled={meant.length === 0} onClick={() => setTo(meant.map(cardOf))}>
          <Icon name="inbox" />
          {t('roster.write', { count: meant.length })}
        </button>
      </search>
      {rows.length === 0 ? (
        <p className="none-match">{t('book.noneMatch', { count: view.rows.length })}</p>
      ) : (
        <div className="graded-sheet roster">
          <table aria-label={t('tab.students')}>
            <thead>
              <tr>
                <th scope="col">{t('book.student')}</th>
                <th scope="col" className="roster-sections">
                  {t('book.section')}
                </th>
                <th scope="col" className="roster-seen">
                  {t('roster.lastSeen')}
                </th>
                <th scope="col" className="score">
                  {t('book.total')}
                </th>
                <th scope="col">
                  <span className="sr-only">{t('roster.message')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Student
                  key={row.user_id}
                  row={row}
                  sections={view.sections}
                  isPicked={picked.has(row.user_id)}
                  pick={() => pick(row.user_id)}
                  write={() => setTo([cardOf(row)])}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {to && <Compose to={to} about={{ subject: '', course_id: view.course_id }} isSeparate onClose={() => setTo(null)} />}
    </>
  );
}

const states: Readonly<Partial<Record<GradebookRow['state'], MessageKey>>> = {
  invited: 'roster.invited',
  inactive: 'roster.inactive',
  completed: 'roster.completed',
};

interface StudentGiven {
  readonly row: GradebookRow;
  readonly sections: GradebookView['sections'];
  readonly isPicked: boolean;
  readonly pick: () => void;
  readonly write: () => void;
}

function Student({ row, sections, isPicked, pick, write }: StudentGiven) {
  const { user_id, name, section_ids, state, last_activity_at, current_score, current_grade } = row;
  const label = states[state];
  const its = sections.filter(({ id }) => section_ids.includes(id)).map((section) => section.name);
  const seen = last_activity_at ? howLongAgo(last_activity_at) : t('roster.never');
  return (
    <tr data-aside={state === 'inactive' || state === 'completed'}>
      <th scope="row">
        <label className="check roster-name">
          <input type="checkbox" checked={isPicked} onChange={pick} aria-label={t('roster.pick', { name })} />
          <Initials name={name} id={user_id} />
          <bdi>{name}</bdi>
        </label>
        {label && <Tag>{t(label)}</Tag>}
        <small className="due-below">{[...its, seen].join(' · ')}</small>
      </th>
      <td className="roster-sections">{its.join(', ')}</td>
      <td className="roster-seen">
        <span title={last_activity_at ? moment(last_activity_at) : undefined}>{seen}</span>
      </td>
      <td className="score">
        {current_score === null ? (
          <>
            <span aria-hidden="true">{'–'}</span>
            <span className="sr-only">{t('grades.noScore')}</span>
          </>
        ) : (
          [current_grade, exactPercent(current_score / 100)].filter(Boolean).join(' · ')
        )}
      </td>
      <td className="roster-write">
        <button
          type="button"
          className="quiet icon-only"
          data-stop
          aria-label={t('people.write', { name })}
          title={t('people.write', { name })}
          onClick={write}
        >
          <Icon name="inbox" />
        </button>
      </td>
    </tr>
  );
}

/** In place of a photo, which only the server has. */
const Initials = ({ name, id }: { name: string; id: number }) => (
  <span className="roster-initials" data-cloth={id % 8} aria-hidden="true">
    {name
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => [...word][0])
      .filter((_, at, all) => at === 0 || at === all.length - 1)
      .join('')
      .toUpperCase()}
  </span>
);
