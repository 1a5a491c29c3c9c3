// The versions of a text, newest first, starting with the current one.

import { useEffect, useState } from 'react';
import type { Reference } from '../../contract/reading.ts';
import type { VersionCard, VersionsAvailability, VersionsView } from '../../contract/versions.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Shown } from '../parts/Shown.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';
import { Became } from './Became.tsx';
import { CurrentVersion } from './CurrentVersion.tsx';
import { WrittenBy } from './WrittenBy.tsx';

export function Versions({ reference }: { reference: Reference }) {
  const list = useLive('courses', 'versions.list', reference);
  const [asked, setAsked] = useState<VersionsAvailability | 'asking'>('asking');
  const { kind, course_id, id } = reference;
  useEffect(() => {
    let isHere = true;
    call('versions.ask', { kind, course_id, id }).then(
      (answer) => isHere && setAsked(answer),
      () => isHere && setAsked('not reached'),
    );
    return () => {
      isHere = false;
    };
  }, [kind, course_id, id]);
  return <Shown live={list}>{(found) => (found ? <List of={found} asked={asked} /> : <NoVersions reference={reference} />)}</Shown>;
}

export const NoVersions = ({ reference }: { reference: Reference }) => (
  <>
    <Heading title={t('versions.title')} />
    <Blank icon="history" title={t('versions.notHere')}>
      <p>
        <a href={addressOfReading(reference)}>{t('versions.back')}</a>
      </p>
    </Blank>
  </>
);

function List({
  of: { reference, title, current, may_ask, earlier },
  asked,
}: {
  of: VersionsView;
  asked: VersionsAvailability | 'asking';
}) {
  return (
    <article className="reader" data-cloth={cloth(reference.course_id)}>
      <Heading title={t('versions.title')} above={<Up to={addressOfReading(reference)}>{title}</Up>} />
      <p className="versions-about">{t(asked === 'told' ? 'versions.fromServer' : 'versions.fromDesk')}</p>
      <p className="versions-asked" role="status">
        {may_ask && asked === 'asking' && t('signIn.asking')}
        {may_ask && asked === 'not reached' && t('versions.notReached')}
      </p>
      <ol className="versions">
        <CurrentVersion href={addressOfReading(reference)}>
          <WrittenBy at={current.at} by={current.by} />
        </CurrentVersion>
        {earlier.map((one) => (
          <Earlier key={one.key} of={one} reference={reference} now={title} />
        ))}
      </ol>
      {earlier.length === 0 && asked !== 'asking' && <p className="versions-none">{t('versions.none')}</p>}
    </article>
  );
}

function Earlier({ of, reference, now }: { of: VersionCard; reference: Reference; now: string }) {
  const { key, number, title, at, by, until, here, became } = of;
  const name = until ? t('versions.until', { when: moment(until) }) : t('versions.from', { when: at ? moment(at) : '' });
  return (
    <li className="version">
      <h2 className="version-title">
        {here ? (
          <a data-stop href={hrefOf({ at: 'versions', reference, key })}>
            {name}
          </a>
        ) : (
          name
        )}
      </h2>
      {title && title !== now && <p className="version-called">{t('versions.called', { title })}</p>}
      <WrittenBy at={at} by={by} number={number} />
      {became ? <Became of={became} said="versions.then" /> : <p className="version-became">{t('versions.notKept')}</p>}
    </li>
  );
}
