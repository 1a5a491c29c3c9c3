// What waits for people who teach: work to grade, discussions with unread replies, and messages to answer.

import type { ReactNode } from 'react';
import type { ConversationCard } from '../../contract/conversations.ts';
import type { Reference } from '../../contract/reading.ts';
import type { TeachingView, UnreadDiscussion, WorkToGrade } from '../../contract/teaching.ts';
import { distance, howLongAgo, moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { peopleNames } from '../inbox/names.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';

/** More are in the inbox. */
const shownMessages = 5;

interface Props {
  readonly of: TeachingView;
  readonly now: Date;
  /** Of its headings. */
  readonly level: 2 | 3;
}

export function TeachingSections({ of: { to_grade, discussions }, now, level }: Props) {
  const inbox = useLive('inbox', 'inbox.list');
  const messages = (inbox.value ?? []).filter(({ archived, unread, unanswered }) => !archived && (unread || unanswered));
  const waiting = to_grade.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <Part id="to-grade" level={level} title={t('teaching.toGrade')} aside={waiting > 0 && t('teaching.works', { count: waiting })}>
        {to_grade.length === 0 ? (
          <Blank icon="check" title={t('teaching.allGraded')}>
            <p>{t('teaching.allGradedMore')}</p>
          </Blank>
        ) : (
          <ul className="entries">
            {to_grade.map((work) => (
              <Work key={work.id} work={work} now={now} />
            ))}
          </ul>
        )}
      </Part>
      {discussions.length > 0 && (
        <Part id="unread-replies" level={level} title={t('teaching.discussions')}>
          <ul className="entries">
            {discussions.map((one) => (
              <Discussion key={one.open.id} discussion={one} now={now} />
            ))}
          </ul>
        </Part>
      )}
      {messages.length > 0 && (
        <Part id="to-answer" level={level} title={t('teaching.messages')}>
          <ul className="entries">
            {messages.slice(0, shownMessages).map((one) => (
              <Message key={one.id} message={one} now={now} />
            ))}
          </ul>
          {messages.length > shownMessages && (
            <p className="more">
              <a href={hrefOf({ at: 'inbox', id: null })}>{t('teaching.allMessages', { count: messages.length - shownMessages })}</a>
            </p>
          )}
        </Part>
      )}
    </>
  );
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly aside?: string | false;
  readonly level: 2 | 3;
  readonly children: ReactNode;
}

function Part({ id, title, aside, level, children }: PartProps) {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <section className="day" aria-labelledby={id}>
      <Title id={id}>
        {title}
        {aside && <small>{aside}</small>}
      </Title>
      {children}
    </section>
  );
}

interface RowProps {
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly title: string;
  readonly href: string;
  readonly first: ReactNode;
  readonly when: ReactNode;
  readonly children?: ReactNode;
}

const Row = ({ course_id, course_name, title, href, first, when, children }: RowProps) => (
  <li className="entry teaching-entry" data-cloth={cloth(course_id)}>
    {first}
    <div className="entry-body">
      {course_name && (
        <p className="entry-above">
          <span className="entry-course">{course_name}</span>
        </p>
      )}
      <p className="entry-title">
        <a data-stop href={href}>
          {title}
        </a>
      </p>
      {children}
    </div>
    <p className="entry-when">{when}</p>
  </li>
);

const Count = ({ of, says }: { of: number; says: string }) => (
  <p className="entry-count">
    <b aria-hidden="true">{of}</b>
    <span className="sr-only">{says}</span>
  </p>
);
const Kind = ({ name }: { name: IconName }) => (
  <span className="entry-kind">
    <Icon name={name} />
  </span>
);
const Due = ({ at, now }: { at: string | null; now: Date }) =>
  at === null ? (
    <small className="entry-distance">{t('due.none')}</small>
  ) : (
    <>
      <time dateTime={at}>{t('teaching.dueSince', { when: moment(at, now) })}</time>
      <small className="entry-distance">{distance(at, now)}</small>
    </>
  );

const addressOf = (open: Reference) => addressOfReading(open);

const Work = ({ work: { open, title, course_id, course_name, count, due_at }, now }: { work: WorkToGrade; now: Date }) => (
  <Row
    course_id={course_id}
    course_name={course_name}
    title={title}
    href={addressOf(open)}
    first={<Count of={count} says={t('teaching.countToGrade', { count })} />}
    when={<Due at={due_at} now={now} />}
  />
);

const Discussion = ({ discussion, now }: { discussion: UnreadDiscussion; now: Date }) => {
  const { open, title, course_id, course_name, unread, last_reply_at } = discussion;
  return (
    <Row
      course_id={course_id}
      course_name={course_name}
      title={title}
      href={addressOf(open)}
      first={<Count of={unread} says={t('teaching.unreadReplies', { count: unread })} />}
      when={last_reply_at && <small className="entry-distance">{t('teaching.lastReply', { when: howLongAgo(last_reply_at, now) })}</small>}
    />
  );
};

const Message = ({ message: { id, subject, people, course_name, at, excerpt, unread }, now }: { message: ConversationCard; now: Date }) => (
  <Row
    course_id={null}
    course_name={course_name}
    title={subject ?? t('inbox.noSubject')}
    href={hrefOf({ at: 'inbox', id })}
    first={<Kind name="inbox" />}
    when={at && <small className="entry-distance">{howLongAgo(at, now)}</small>}
  >
    <p className="entry-details">
      <b>
        <bdi>{peopleNames(people)}</bdi>
      </b>{' '}
      <span className="entry-excerpt">{excerpt}</span>
    </p>
    <p className="tags">{unread ? <Tag tone="busy">{t('new')}</Tag> : <Tag>{t('teaching.unanswered')}</Tag>}</p>
  </Row>
);
