// The members of a group, each with a link to write to them.

import { useState } from 'react';
import type { GroupPeople, PersonCard } from '../../contract/conversations.ts';
import { t } from '../../language/texts.ts';
import { Compose } from '../inbox/Compose.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';

export function PeopleTab({ course_id }: { course_id: number }) {
  const people = useLive('courses', 'group.people', { course_id });
  const [to, setTo] = useState<readonly PersonCard[] | null>(null);
  return (
    <>
      <Shown live={people}>{(found) => <List of={found} write={setTo} />}</Shown>
      {to && <Compose to={to} onClose={() => setTo(null)} />}
    </>
  );
}

function List({ of: { people, count, missing }, write }: { of: GroupPeople; write: (to: readonly PersonCard[]) => void }) {
  if (missing) return <Blank icon="people" title={t('people.missing')} />;
  const others = people.filter(({ is_me }) => !is_me);
  return (
    <>
      <p className="people-all">
        <span className="soft">{t('people.count', { count })}</span>
        {others.length > 1 && (
          <button type="button" data-key="n" onClick={() => write(others)}>
            <Icon name="inbox" />
            {t('people.writeAll')}
          </button>
        )}
      </p>
      <ul className="items leaf">
        {people.map((one) => (
          <li key={one.id} className="item">
            <Icon name="people" />
            <span className="item-title">
              <bdi>{one.name}</bdi>
            </span>
            {one.is_me && <Tag>{t('you')}</Tag>}
            {one.leads && <Tag tone="good">{t('people.leads')}</Tag>}
            {!one.is_me && (
              <button
                type="button"
                className="quiet icon-only"
                data-stop
                aria-label={t('people.write', { name: one.name })}
                title={t('people.write', { name: one.name })}
                onClick={() => write([one])}
              >
                <Icon name="inbox" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {count > people.length && <p className="soft">{t('people.more', { count: count - people.length })}</p>}
    </>
  );
}
