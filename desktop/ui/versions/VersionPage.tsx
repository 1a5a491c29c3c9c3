// An earlier version of a text, alone or compared with the current one.

import { useState } from 'react';
import type { Reference } from '../../contract/reading.ts';
import type { VersionKey, VersionReading } from '../../contract/versions.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Sheet } from '../reader/Sheet.tsx';
import { TextSizeButtons, useTextSize } from '../reader/TextSizeButtons.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';
import { Became } from './Became.tsx';
import { NoVersions } from './Versions.tsx';
import { WrittenBy } from './WrittenBy.tsx';

export function VersionPage({ reference, version }: { reference: Reference; version: VersionKey }) {
  const found = useLive('courses', 'versions.open', { reference, key: version });
  const [isCompared, setCompared] = useState(true);
  return (
    <Shown live={found}>
      {(value) => (value ? <Text of={value} isCompared={isCompared} setCompared={setCompared} /> : <NoVersions reference={reference} />)}
    </Shown>
  );
}

interface Props {
  readonly of: VersionReading;
  readonly isCompared: boolean;
  readonly setCompared: (isCompared: boolean) => void;
}

function Text({ of: { card, as_it_was, compared, differs, newer, older }, isCompared, setCompared }: Props) {
  const messages = useTextSize();
  const { reference } = as_it_was;
  const shown = isCompared && compared ? compared : as_it_was;
  const { at, by, until } = card;
  return (
    <article className="reader" data-cloth={cloth(reference.course_id)}>
      <Heading
        title={as_it_was.title}
        part={t('versions.earlier')}
        above={<Up to={hrefOf({ at: 'versions', reference, key: null })}>{t('versions.title')}</Up>}
      >
        <TextSizeButtons letters={messages} />
      </Heading>
      <section className="then" aria-label={t('versions.which')}>
        <div className="then-which" role="status">
          <p>
            <Icon name="history" />
            <b>{until ? t('versions.until', { when: moment(until) }) : t('versions.earlier')}</b>
          </p>
          <WrittenBy at={at} by={by} number={card.number} />
          {differs && <Became of={differs} said="versions.since" />}
        </div>
        <div className="then-ways">
          <Way icon="back" to={older} reference={reference} says={t('versions.older')} />
          <Way icon="forward" to={newer} reference={reference} says={t('versions.newer')} />
          <a className="button" href={addressOfReading(reference)}>
            {t('versions.back')}
          </a>
        </div>
      </section>
      {compared && (
        <div className="compare">
          <button type="button" data-key="d" aria-pressed={isCompared} onClick={() => setCompared(!isCompared)}>
            <Icon name="compare" />
            {t('versions.compare')}
          </button>
          {isCompared && (
            <p>
              <ins>{t('versions.insLegend')}</ins> <del>{t('versions.delLegend')}</del>
            </p>
          )}
        </div>
      )}
      {shown.html.trim() === '' ? (
        <Blank icon="page" title={t('reader.empty')} />
      ) : (
        <Sheet reading={shown} letters={messages.size} version={{ key: card.key, isCompared: shown === compared }} />
      )}
    </article>
  );
}

function Way({ icon, to, reference, says }: { icon: IconName; to: VersionKey | null; reference: Reference; says: string }) {
  if (to === null) return null;
  return (
    <a className="button icon-only" href={hrefOf({ at: 'versions', reference, key: to })} aria-label={says} title={says}>
      <Icon name={icon} />
    </a>
  );
}
