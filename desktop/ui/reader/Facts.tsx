// What an assignment asks and how one's own work stands.

import type { Reading } from '../channels.ts';
import { Tag, type Tone } from '../parts/Tag.tsx';
import { distance, moment } from '../words/dates.ts';

const standing: Readonly<Record<string, { word: string; tone: Tone }>> = {
  unsubmitted: { word: 'Not submitted', tone: 'plain' },
  submitted: { word: 'Submitted', tone: 'good' },
  pending_review: { word: 'Waiting for review', tone: 'busy' },
  graded: { word: 'Graded', tone: 'good' },
};

export function Facts({ reading }: { reading: Reading }) {
  const { due_at, points_possible, unlock_at, lock_at, submission } = reading;
  if (!due_at && points_possible === null && !unlock_at && !lock_at && !submission) return null;
  const now = new Date();
  const stands = submission && (standing[submission.workflow_state] ?? { word: submission.workflow_state, tone: 'plain' as const });
  return (
    <dl className="facts">
      {due_at && (
        <div>
          <dt>Due</dt>
          <dd>
            {moment(due_at, now)} <small>{distance(due_at, now)}</small>
          </dd>
        </div>
      )}
      {unlock_at && new Date(unlock_at) > now && <Fact name="Opens" value={moment(unlock_at, now)} />}
      {lock_at && <Fact name={new Date(lock_at) > now ? 'Closes' : 'Closed'} value={moment(lock_at, now)} />}
      {points_possible !== null && <Fact name="Points" value={String(points_possible)} />}
      {stands && (
        <div>
          <dt>Your work</dt>
          <dd>
            <Tag tone={stands.tone}>{stands.word}</Tag> {submission?.submitted_at && <small>{moment(submission.submitted_at, now)}</small>}
          </dd>
        </div>
      )}
      {submission?.grade && (
        <Fact
          name="Grade"
          value={
            submission.score !== null && points_possible
              ? submission.grade === String(submission.score)
                ? `${submission.score} of ${points_possible}`
                : `${submission.grade} (${submission.score} of ${points_possible})`
              : submission.grade
          }
        />
      )}
    </dl>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
