// The dates and points of an assignment, and the state of the user's submission.

import type { Reading } from '../../contract/reading.ts';
import { distance, moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { AddToCalendar } from '../calendar/AddToCalendar.tsx';
import { Tag, type TagTone } from '../parts/Tag.tsx';

const standing: Readonly<Record<string, { word: MessageKey; tone: TagTone }>> = {
  unsubmitted: { word: 'work.unsubmitted', tone: 'plain' },
  submitted: { word: 'asks.submitted', tone: 'good' },
  pending_review: { word: 'work.pending_review', tone: 'busy' },
  graded: { word: 'graded', tone: 'good' },
};

export function Facts({ reading }: { reading: Reading }) {
  const { due_at, points_possible, unlock_at, lock_at, submission, student, to_grade, reference } = reading;
  if (!due_at && points_possible === null && !unlock_at && !lock_at && !submission && to_grade === null) return null;
  const now = new Date();
  const isOverdue = due_at && new Date(due_at) < now && submission?.workflow_state === 'unsubmitted';
  const stands = submission && standing[submission.workflow_state];
  return (
    <dl className="facts">
      {due_at && (
        <div>
          <dt>{t('due')}</dt>
          <dd data-tone={isOverdue ? 'bad' : undefined}>
            {moment(due_at, now)} <small>{distance(due_at, now)}</small>
            {(reference.kind === 'assignment' || reference.kind === 'discussion_topic') && (
              <AddToCalendar item={{ kind: reference.kind, id: reference.id }} title={reading.title} />
            )}
          </dd>
        </div>
      )}
      {unlock_at && new Date(unlock_at) > now && <Fact name={t('facts.opens')} value={moment(unlock_at, now)} />}
      {lock_at && <Fact name={t(new Date(lock_at) > now ? 'facts.closes' : 'closed')} value={moment(lock_at, now)} />}
      {points_possible !== null && <Fact name={t('facts.points')} value={String(points_possible)} />}
      {submission && (
        <div>
          <dt>{student === null ? t('facts.yourWork') : t('observing.workOf', { name: student || t('observing.theStudent') })}</dt>
          <dd>
            <Tag tone={stands?.tone ?? 'plain'}>{stands ? t(stands.word) : submission.workflow_state}</Tag>{' '}
            {submission.submitted_at && <small>{moment(submission.submitted_at, now)}</small>}
          </dd>
        </div>
      )}
      {to_grade !== null && <Fact name={t('teaching.toGrade')} value={t('teaching.works', { count: to_grade })} />}
      {submission?.grade && <Fact name={t('facts.grade')} value={gradeOf(submission.grade, submission.score, points_possible)} />}
    </dl>
  );
}

function gradeOf(grade: string, score: number | null, points: number | null): string {
  if (score === null || !points) return grade;
  return grade === String(score) ? t('facts.scoreOf', { score, points }) : t('facts.gradeAndScore', { grade, score, points });
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
