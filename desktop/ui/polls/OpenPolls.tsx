// Polls that are open now: opened and voted in on the planner.

import { useEffect, useId, useState } from 'react';
import type { OpenPoll, PollView } from '../../contract/polls.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Tag } from '../parts/Tag.tsx';
import { complain } from '../parts/Toast.tsx';

export function OpenPolls() {
  const found = useLive('courses', 'poll.list').value;
  if (!found || found.length === 0) return null;
  return (
    <section className="polls" aria-labelledby="open-polls">
      <h2 id="open-polls">{t('poll.open')}</h2>
      <ul>
        {found.map((poll) => (
          <Poll key={poll.id} poll={poll} />
        ))}
      </ul>
    </section>
  );
}

function Poll({ poll: { id, course_name, has_voted } }: { poll: OpenPoll }) {
  const [asked, setAsked] = useState<PollView | null>(null);
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after a vote
  useEffect(() => {
    if (isOpen) call('poll.open', { id }).then(setAsked, complain);
  }, [isOpen, has_voted]);
  return (
    <li className="poll">
      <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <bdi>{course_name}</bdi>
        <Tag tone={has_voted ? 'good' : 'busy'}>{t(has_voted ? 'poll.voted' : 'poll.toVote')}</Tag>
      </button>
      {isOpen && asked && <Vote key={`${asked.chosen}`} poll={asked} changed={() => call('poll.open', { id }).then(setAsked, complain)} />}
    </li>
  );
}

function Vote({ poll: { id, question, choices, chosen }, changed }: { poll: PollView; changed: () => void }) {
  const [choice, setChoice] = useState(chosen);
  const name = useId();
  const all = choices.reduce((sum, { votes }) => sum + (votes ?? 0), 0);
  const vote = () => {
    if (choice !== null) call('poll.vote', { id, choice_id: choice }).then(changed, complain);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        vote();
      }}
    >
      <fieldset disabled={chosen !== null}>
        <legend>{question}</legend>
        {choices.map((one) => (
          <label key={one.id} className="poll-choice">
            <input type="radio" name={name} checked={choice === one.id} onChange={() => setChoice(one.id)} />
            <span>{one.text}</span>
            {one.votes !== null && (
              <>
                <meter min={0} max={Math.max(1, all)} value={one.votes} aria-hidden />
                <small>{t('poll.votes', { count: one.votes })}</small>
              </>
            )}
          </label>
        ))}
      </fieldset>
      {chosen === null && (
        <button type="submit" className="primary" disabled={choice === null}>
          {t('poll.vote')}
        </button>
      )}
    </form>
  );
}
