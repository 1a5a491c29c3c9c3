// Searching everything that is kept here: as one types, by course and by kind, from the keyboard.

import { createElement, Fragment, type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { Answer } from '../channels.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Find } from '../parts/Find.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { addressOf } from '../place.ts';
import type { FoundKind, Hit, Marked } from '../views/search.ts';
import { moment } from '../words/dates.ts';
import { t } from '../words/texts.ts';
import { addressOfHit, foundKinds, kindWords } from './kinds.ts';

type Findings = Answer<'search.find'>;

export function Search({ text: first }: { text: string }) {
  const [text, setText] = useState(first);
  const [course_id, setCourse] = useState<number | null>(null);
  const [kind, setKind] = useState<FoundKind | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const courses = useLive('courses', 'courses.list');
  const asked = useDeferredValue(text);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    // The way back leads to what was found; typing leaves no steps.
    history.replaceState(null, '', addressOf({ at: 'search', text: asked }));
  }, [asked]);
  const toResults = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    document.querySelector<HTMLElement>('.hits [data-stop]')?.focus();
  };
  return (
    <>
      <Heading title={t('search.title')} />
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
        <Results text={asked} course_id={course_id} kind={kind} setKind={setKind} />
      )}
    </>
  );
}

interface Wish {
  readonly text: string;
  readonly course_id: number | null;
  readonly kind: FoundKind | null;
  readonly setKind: (kind: FoundKind | null) => void;
}

function Results({ text, course_id, kind, setKind }: Wish) {
  const answer = useLive('courses', 'search.find', { text, course_id, kind });
  // While the next answer is on its way, the last one stays.
  const last = useRef<Findings>(undefined);
  if (answer.value) last.current = answer.value;
  const live = last.current ? { ...answer, value: last.current } : answer;
  return (
    <Shown live={live}>
      {({ kinds, found, unread }) => {
        const total = Object.values(kinds).reduce((sum, one) => sum + one, 0);
        const shown = kind === null ? total : kinds[kind];
        return (
          <>
            <Kinds kinds={kinds} total={total} kind={kind} setKind={setKind} />
            <p className="found" role="status">
              {shown === 0
                ? t('search.nothing', { text: text.trim() })
                : t(found.length < shown ? 'search.best' : 'search.results', { count: shown, shown: found.length })}
            </p>
            {unread > 0 && (
              <p className="still-reading">
                <Icon name="hourglass" />
                {t('search.unread', { count: unread })}
              </p>
            )}
            <ol className="hits">
              {found.map((hit) => (
                <Found key={`${hit.kind} ${hit.id}`} hit={hit} words={text} />
              ))}
            </ol>
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
