// Search over everything on this computer: as the user types, by course and kind, usable from the keyboard.

import { createElement, Fragment, type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { ChannelResult } from '../../contract/channels.ts';
import { type FoundKind, foundKinds, type Hit, type Marked } from '../../contract/search.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Find } from '../parts/Find.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { useSettled } from '../parts/settled.ts';
import { hrefOf } from '../routes.ts';
import { addressOfHit, kindWords } from './kinds.ts';

type Findings = ChannelResult<'search.find'>;

export function Search({ text: first }: { text: string }) {
  const [text, setText] = useState(first);
  const [course_id, setCourse] = useState<number | null>(null);
  const [kind, setKind] = useState<FoundKind | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const courses = useLive('courses', 'courses.list');
  const asked = useDeferredValue(text);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    // Replaces the history entry, so that Back returns to the results and typing adds no entries.
    history.replaceState(null, '', hrefOf({ at: 'search', text: asked }));
  }, [asked]);
  const toResults = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    document.querySelector<HTMLElement>('.hits [data-stop]')?.focus();
  };
  const toField = () => field.current?.focus();
  return (
    <>
      <Heading title={t('search.title')} part={asked.trim() || undefined} />
      <search className="filter">
        <Find
          says={t('search.field')}
          placeholder={t('search.words')}
          value={text}
          onChange={setText}
          field={field}
          onKeyDown={toResults}
          isWide
        />
        <label className="in-course">
          <span className="sr-only">{t('course')}</span>
          <select value={course_id ?? ''} onChange={(event) => setCourse(Number(event.target.value) || null)}>
            <option value="">{t('search.allCourses')}</option>
            {courses.value?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </search>
      {asked.trim() === '' ? (
        <Blank icon="search" title={t('search.everything')}>
          <p>{t('search.whatKinds')}</p>
        </Blank>
      ) : (
        <Results text={asked} course_id={course_id} kind={kind} setKind={setKind} toField={toField} />
      )}
    </>
  );
}

interface Wish {
  readonly text: string;
  readonly course_id: number | null;
  readonly kind: FoundKind | null;
  readonly setKind: (kind: FoundKind | null) => void;
  readonly toField: () => void;
}

/** Milliseconds: waits for a pause in typing. */
const pause = 700;

/** Up and Down move through the results; above the first, back to the field. */
function walk(event: KeyboardEvent<HTMLOListElement>, toField: () => void) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')];
  const here = stops.indexOf(document.activeElement as HTMLElement);
  if (by === undefined || here === -1) return;
  event.preventDefault();
  if (here + by < 0) toField();
  else stops[here + by]?.focus();
}

const Spoken = ({ words }: { words: string }) => (
  <p className="sr-only" role="status">
    {useSettled(words, pause)}
  </p>
);

function Results({ text, course_id, kind, setKind, toField }: Wish) {
  const answer = useLive('courses', 'search.find', { text, course_id, kind });
  // Keeps the last results while the next ones load.
  const last = useRef<Findings>(undefined);
  if (answer.value) last.current = answer.value;
  const live = last.current ? { ...answer, value: last.current } : answer;
  return (
    <Shown live={live}>
      {({ kinds, found, unread }) => {
        const total = Object.values(kinds).reduce((sum, one) => sum + one, 0);
        const shown = kind === null ? total : kinds[kind];
        const says =
          shown === 0
            ? t('search.nothing', { text: text.trim() })
            : t(found.length < shown ? 'search.best' : 'search.results', { count: shown, shown: found.length });
        return (
          <>
            <Spoken words={says} />
            {total > 0 && <Kinds kinds={kinds} total={total} kind={kind} setKind={setKind} />}
            <p className="found" aria-hidden="true">
              {says}
            </p>
            {unread > 0 && (
              <p className="still-reading">
                <Icon name="hourglass" />
                {t('search.unread', { count: unread })}
              </p>
            )}
            {found.length > 0 && (
              <ol className="hits" onKeyDown={(event) => walk(event, toField)}>
                {found.map((hit) => (
                  <Found key={`${hit.kind} ${hit.id}`} hit={hit} words={text} />
                ))}
              </ol>
            )}
          </>
        );
      }}
    </Shown>
  );
}

const Kinds = ({ kinds, total, kind, setKind }: Pick<Findings, 'kinds'> & Pick<Wish, 'kind' | 'setKind'> & { total: number }) => (
  <fieldset className="choices">
    <legend className="sr-only">{t('search.which')}</legend>
    {([null, ...foundKinds.filter((name) => kinds[name] > 0 || name === kind)] as const).map((name) => (
      <label key={name ?? 'all'}>
        <input type="radio" name="kind" checked={kind === name} onChange={() => setKind(name)} />
        <span>
          {t(name === null ? 'all' : kindWords[name].many)} <small>{name === null ? total : kinds[name]}</small>
        </span>
      </label>
    ))}
  </fieldset>
);

const Found = ({ hit, words }: { hit: Hit; words: string }) => (
  <li className="hit" data-cloth={cloth(hit.course_id)}>
    <p className="entry-above">
      <Icon name={kindWords[hit.kind].icon} />
      <span>{t(kindWords[hit.kind].one)}</span>
      {hit.course_name && hit.kind !== 'course' && <span className="entry-course">{hit.course_name}</span>}
      {hit.page !== null && <span>{t('search.page', { page: hit.page })}</span>}
      {hit.at && <time dateTime={hit.at}>{moment(hit.at)}</time>}
    </p>
    <h2 className="letter-title">
      <a data-stop href={addressOfHit(hit, words)}>
        <Marks of={hit.title} />
      </a>
    </h2>
    {hit.excerpt.length > 0 && (
      <p className="hit-excerpt">
        <Marks of={hit.excerpt} />
      </p>
    )}
  </li>
);

/** Spread, because pieces of a text have no keys but their order. */
const Marks = ({ of }: { of: Marked }) =>
  createElement(Fragment, null, ...of.map(([text, isHit]) => (isHit ? createElement('mark', null, text) : text)));
