// One planner item: checkbox, title, course, time and state.

import type { PlannerEntry } from '../../contract/planner.ts';
import type { Reference } from '../../contract/reading.ts';
import { clockTime, distance, moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { AddToCalendar } from '../calendar/AddToCalendar.tsx';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { Tag } from '../parts/Tag.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { addressOfReading } from '../routes.ts';
import { canMark, isDone, isOverdue } from './days.ts';
import type { NoteDraft } from './NoteForm.tsx';

const kinds: Readonly<Record<PlannerEntry['plannable_type'], { icon: IconName; word: MessageKey }>> = {
  assignment: { icon: 'assignment', word: 'kind.assignment' },
  discussion_topic: { icon: 'discussion', word: 'kind.discussion' },
  announcement: { icon: 'announcements', word: 'kind.announcement' },
  wiki_page: { icon: 'page', word: 'kind.page' },
  planner_note: { icon: 'note', word: 'kind.note' },
  calendar_event: { icon: 'event', word: 'kind.event' },
};

export function referenceOf({ plannable_type, plannable_id: id, course_id }: PlannerEntry): Reference | null {
  if (course_id === null) return null;
  if (plannable_type === 'assignment') return { kind: 'assignment', course_id, id };
  if (plannable_type === 'wiki_page') return { kind: 'page', course_id, id };
  if (plannable_type === 'discussion_topic' || plannable_type === 'announcement') return { kind: 'discussion_topic', course_id, id };
  return null;
}

export async function mark({ plannable_type, plannable_id, title }: PlannerEntry, marked_complete: boolean) {
  const set = (marked: boolean) => call('planner.mark', { plannable_type, plannable_id, marked_complete: marked });
  try {
    await set(marked_complete);
    showToast(t(marked_complete ? 'entry.done' : 'entry.notDone', { title }), () => void set(!marked_complete).catch(complain));
  } catch (failure) {
    complain(failure);
  }
}

interface Props {
  readonly entry: PlannerEntry;
  readonly edit: (draft: NoteDraft) => void;
  readonly now: Date;
  readonly withDay?: boolean;
  /** States that the section's heading already shows. */
  readonly known?: 'overdue' | 'assignments';
}

export function PlannerRow({ entry, edit, now, withDay = false, known }: Props) {
  const { icon, word } = kinds[entry.plannable_type];
  const reference = referenceOf(entry);
  const done = isDone(entry);
  const points = entry.points_possible ? t('points', { count: entry.points_possible }) : null;
  return (
    <li className="entry" data-done={done} data-cloth={cloth(entry.course_id)}>
      {canMark(entry) ? (
        <input
          type="checkbox"
          className="mark"
          data-key="x"
          checked={entry.marked_complete || done}
          disabled={done && !entry.marked_complete}
          aria-label={t('entry.mark', { title: entry.title })}
          onChange={(event) => void mark(entry, event.target.checked)}
        />
      ) : (
        <span className="entry-kind">
          <Icon name={icon} />
        </span>
      )}
      <div className="entry-body">
        {known !== 'assignments' && (
          <p className="entry-above">
            {canMark(entry) && <Icon name={icon} />}
            <span>{t(word)}</span>
            {entry.taught && entry.plannable_type !== 'calendar_event' && <span>{t('taught.forStudents')}</span>}
            {entry.course_name && <span className="entry-course">{entry.course_name}</span>}
            {points && <span>{points}</span>}
          </p>
        )}
        <p className="entry-title">
          {reference ? (
            <a data-stop href={addressOfReading(reference)}>
              {entry.title}
            </a>
          ) : entry.plannable_type === 'planner_note' ? (
            <button
              type="button"
              data-stop
              className="as-link"
              aria-label={t('entry.editNote', { title: entry.title })}
              onClick={() => entry.date !== null && edit({ note: { ...entry, date: entry.date } })}
            >
              {entry.title}
            </button>
          ) : (
            <span>{entry.title}</span>
          )}
        </p>
        {entry.details && <p className="entry-details">{entry.details}</p>}
        {known === 'assignments' && points && <p className="entry-details">{points}</p>}
        <States entry={entry} now={now} isKnownOverdue={known === 'overdue'} />
      </div>
      <p className="entry-when">
        {entry.date ? (
          <time dateTime={entry.date}>{withDay ? moment(entry.date, now) : clockTime(entry.date)}</time>
        ) : (
          <small className="entry-distance">{t('due.none')}</small>
        )}
        {entry.date && !done && <small className="entry-distance">{distance(entry.date, now)}</small>}
        {entry.date && entry.plannable_type === 'calendar_event' && (
          <AddToCalendar item={{ kind: 'calendar_event', id: entry.plannable_id }} title={entry.title} />
        )}
      </p>
    </li>
  );
}

function States({ entry, now, isKnownOverdue }: { entry: PlannerEntry; now: Date; isKnownOverdue: boolean }) {
  const overdue = !isKnownOverdue && isOverdue(entry, now);
  if (!(entry.pending || entry.graded || entry.submitted || entry.late || entry.missing || overdue)) return null;
  return (
    <p className="tags">
      {overdue && !entry.missing && <Tag tone="bad">{t('overdue')}</Tag>}
      {entry.missing && <Tag tone="bad">{t('missing')}</Tag>}
      {entry.graded ? (
        <Tag tone="good" icon="check">
          {t('graded')}
        </Tag>
      ) : (
        entry.submitted && (
          <Tag tone="good" icon="check">
            {t('asks.submitted')}
          </Tag>
        )
      )}
      {entry.late && <Tag tone="warn">{t('late')}</Tag>}
      {entry.pending && (
        <Tag tone="busy" icon="hourglass">
          {t('unsent')}
        </Tag>
      )}
    </p>
  );
}
