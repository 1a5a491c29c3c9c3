// The discussions of a course: pinned ones first, then by latest reply.

import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { rich } from '../parts/rich.ts';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading } from '../routes.ts';

export function Discussions({ course_id }: { course_id: number }) {
  const discussions = useLive('courses', 'course.discussions', { course_id });
  return (
    <Shown live={discussions}>
      {(found) =>
        found.length === 0 ? (
          <Blank icon="discussion" title={t('discussions.none')} />
        ) : (
          <ul className="letters">
            {found.map((topic) => (
              <li key={topic.id} className="letter" data-read={topic.read && topic.unread === 0}>
                <p className="entry-above">
                  {topic.unread > 0 && <span className="unread">{t('newCount', { count: topic.unread })} </span>}
                  {topic.unread === 0 && !topic.read && <span className="unread">{t('new')} </span>}
                  <span>{t('replies.count', { count: topic.replies })}</span>
                  {topic.last_reply_at && (
                    <span>
                      {rich('replies.last', {
                        time: () => <time dateTime={topic.last_reply_at ?? ''}>{moment(topic.last_reply_at ?? '')}</time>,
                      })}
                    </span>
                  )}
                </p>
                <h2 className="letter-title">
                  <a data-stop href={addressOfReading({ kind: 'discussion_topic', course_id, id: topic.id })}>
                    {topic.title}
                  </a>
                </h2>
                {topic.excerpt && <p className="letter-excerpt">{topic.excerpt}</p>}
                <p className="letter-from">
                  {topic.author && <span>{topic.author}</span>}
                  {topic.at && <time dateTime={topic.at}>{moment(topic.at)}</time>}
                  {topic.pinned && <Tag>{t('pinned')}</Tag>}
                  {topic.graded && <Tag icon="assignment">{t('graded')}</Tag>}
                  {topic.locked && <Tag icon="lock">{t('closed')}</Tag>}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
