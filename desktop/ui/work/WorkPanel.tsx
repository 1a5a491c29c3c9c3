// The user's work on an assignment: drafted at any time, submitted with the next sync, and confirmed by a receipt.

import type { WorkView } from '../../contract/work.ts';
import { holdWords } from '../../language/holds.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { hrefOf } from '../routes.ts';
import { OnItsWay } from './OnItsWay.tsx';
import { Receipts } from './Receipts.tsx';
import { type At, WorkForm } from './WorkForm.tsx';

export function WorkPanel({ at, title }: { at: At; title: string }) {
  const work = useLive('courses', 'work.open', at);
  if (!work.value) return null;
  const { on_its_way, receipts, types, hold, draft, quiz_id, on_server } = work.value;
  const isWritable = types.length > 0 || draft.changed_at !== null;
  return (
    <section className="work" aria-labelledby="work">
      <h2 id="work" data-rest tabIndex={-1}>
        {t('facts.yourWork')}
        <Attempts of={work.value} />
      </h2>
      {on_its_way && <OnItsWay of={on_its_way} />}
      {!on_its_way && hold && quiz_id === undefined && (
        <p className="work-hold">
          <Icon name="lock" />
          {t(holdWords[hold])}
          {draft.changed_at !== null && ` ${t('work.draftStays')}`}
        </p>
      )}
      {!on_its_way && isWritable && (hold === null || draft.changed_at !== null) && <WorkForm at={at} work={work.value} title={title} />}
      {quiz_id !== undefined && (
        <p>
          <a className="button primary" href={hrefOf({ at: 'quiz', course_id: at.course_id, id: quiz_id })}>
            {t('quiz.open')}
          </a>
        </p>
      )}
      {on_server && (
        <p>
          <a href={on_server} target="_blank" rel="noreferrer">
            {t('work.onServer')}
          </a>
        </p>
      )}
      <Receipts of={receipts} />
    </section>
  );
}

function Attempts({ of: { attempts_made, attempts_allowed } }: { of: WorkView }) {
  if (attempts_allowed === null && attempts_made === 0) return null;
  return (
    <small className="work-attempts">
      {attempts_allowed === null
        ? t('work.attemptsMade', { made: attempts_made })
        : t('work.attemptsOf', { made: attempts_made, allowed: attempts_allowed })}
    </small>
  );
}
