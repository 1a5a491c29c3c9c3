// A page, or the description of an assignment, as its author writes it. It waits in the outbox until the next sync.

import { lazy, Suspense, useState } from 'react';
import type { AuthoredBase, AuthoredPlace, AuthoredText, AuthoringView } from '../../contract/authoring.ts';
import type { Unfinished } from '../../contract/writing.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank, Loading } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Shown } from '../parts/Shown.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { UnsentNote } from '../parts/UnsentNote.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';
import { useWriting } from '../writing/useWriting.ts';
import { AssignmentFields, type FieldsClosed } from './AssignmentFields.tsx';
import { MergePane } from './MergePane.tsx';

const TextField = lazy(() => import('./editor/TextField.tsx'));

const tabs = { page: 'pages', assignment: 'assignments' } as const;
const listOf = ({ kind, course_id }: AuthoredPlace) => hrefOf({ at: 'course', course_id, tab: tabs[kind] });
/** Where the text is read; a new one is in the list. */
export const readingOfText = (place: AuthoredPlace) => (place.id > 0 ? addressOfReading(place) : listOf(place));

const titles: Readonly<Record<AuthoredPlace['kind'], { readonly edit: MessageKey; readonly name: MessageKey }>> = {
  page: { edit: 'author.editPage', name: 'author.title' },
  assignment: { edit: 'author.editAssignment', name: 'author.name' },
};

export function AuthorPage({ place }: { place: AuthoredPlace }) {
  const view = useLive('courses', 'authoring.open', place);
  return (
    <Shown live={view}>
      {(found) => {
        if (!found) return <NotOffered place={place} />;
        const { waiting } = found;
        return (
          <div className="author" data-cloth={cloth(place.course_id)}>
            <Heading
              title={t(place.id < 0 ? 'author.newPage' : titles[place.kind].edit)}
              part={waiting?.text.title ?? found.there?.title}
              above={<Up to={readingOfText(place)}>{place.id < 0 ? found.course_name : (found.there?.title ?? found.course_name)}</Up>}
            />
            {waiting?.merge ? (
              <MergePane key={waiting.id} place={place} waiting={waiting} merge={waiting.merge} />
            ) : (
              <Writing key={waiting?.id ?? ''} place={place} view={found} />
            )}
          </div>
        );
      }}
    </Shown>
  );
}

const NotOffered = ({ place }: { place: AuthoredPlace }) => (
  <>
    <Heading title={t('author.notOffered')} />
    <Blank icon="lock" title={t('author.notOfferedMeans')}>
      <p>
        <a href={listOf(place)}>{t('reader.back')}</a>
      </p>
    </Blank>
  </>
);

const blankText: AuthoredText = { title: '', html: '', published: false, facts: null };

/** As a draft is stored. */
const wordsOf = ({ title, html, published, facts }: AuthoredText, base: AuthoredBase | null): Unfinished => ({
  text: html,
  title,
  authored: { published, facts },
  base,
  files: [],
});

const textOf = ({ text, title = '', authored = { published: false, facts: null } }: Unfinished): AuthoredText => ({
  title,
  html: text,
  ...authored,
});

function Writing({ place, view }: { place: AuthoredPlace; view: AuthoringView }) {
  const { there, waiting } = view;
  // What it begins with stays, whatever a sync brings meanwhile: the server finds out when the text is sent.
  const [start] = useState(() => (waiting ? wordsOf(waiting.text, waiting.base) : wordsOf(there ?? blankText, there)));
  const at = { kind: 'authored', of: place.kind, course_id: place.course_id, id: place.id } as const;
  const { words, change, settle, discard, isBegun, isFound } = useWriting(at, start);
  const [failure, setFailure] = useState<string | null>(null);
  const text = textOf(words);
  const { facts } = text;
  const isOutdated = isBegun && !waiting && !!words.base && !!there && words.base.version !== there.version;
  const isGone = place.id > 0 && there === null;
  const save = async () => {
    if (text.title.trim() === '') return setFailure(t('why.noTitle'));
    try {
      await settle();
      await call('authoring.save', { ...place, text, base: words.base ?? null, files: words.files ?? [], finished: at });
      showToast(t('author.isWaiting'));
      location.hash = readingOfText(place);
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <section className="author-form" aria-label={t('author.form')}>
      {failure && (
        <p className="form-failure" role="alert">
          {failure}
        </p>
      )}
      {waiting && <UnsentNote unsent={waiting} />}
      {waiting?.refused != null && isGone && (
        <p className="author-note" role="status">
          {t('author.gone')}{' '}
          {place.kind === 'page' && (
            <button type="button" onClick={() => void createAgain(waiting.id, place)}>
              {t('author.createAgain')}
            </button>
          )}
        </p>
      )}
      {isOutdated && (
        <p className="author-note" role="status">
          {t('author.outdated')}
        </p>
      )}
      <label className="author-title">
        <span>{t(titles[place.kind].name)}</span>
        <input required maxLength={255} autoComplete="off" value={text.title} onChange={({ target }) => change({ title: target.value })} />
      </label>
      <label className="author-published">
        <input
          type="checkbox"
          checked={text.published}
          disabled={view.is_front_page}
          onChange={({ target }) => change({ authored: { published: target.checked, facts } })}
        />
        <span>{t('author.published')}</span>
        {view.is_front_page && <small>{t('author.frontPage')}</small>}
      </label>
      {facts && (
        <AssignmentFields
          facts={facts}
          closed={closedIn(view)}
          change={(part) => change({ authored: { published: text.published, facts: { ...facts, ...part } } })}
        />
      )}
      {isFound ? (
        <Suspense fallback={<Loading />}>
          <TextField
            html={words.text}
            images={view.images}
            label={t(place.kind === 'page' ? 'author.text' : 'author.description')}
            change={(html) => change({ text: html })}
            keepImage={(file) => change(({ files = [] }) => ({ files: [...files.filter((one) => one.sha256 !== file.sha256), file] }))}
          />
        </Suspense>
      ) : (
        <Loading />
      )}
      <footer className="author-end">
        <button type="button" className="primary" onClick={() => void save()}>
          {t('author.save')}
        </button>
        <a className="button quiet" href={readingOfText(place)}>
          {t(isBegun ? 'writing.later' : 'cancel')}
        </a>
        <span className="spring" />
        {isBegun && (
          <button
            type="button"
            className="quiet danger"
            onClick={() => {
              discard();
              location.hash = readingOfText(place);
            }}
          >
            {t('writing.discard')}
          </button>
        )}
      </footer>
      <p className="soft">
        <small>{t('author.means')}</small>
      </p>
    </section>
  );
}

const closedIn = ({ has_other_dates, is_closed }: AuthoringView): FieldsClosed =>
  is_closed ? 'period' : has_other_dates ? 'other dates' : null;

const createAgain = (id: string, place: AuthoredPlace) =>
  call('authoring.resolve', { id, as: 'new' }).then(() => {
    showToast(t('author.isWaiting'));
    location.hash = listOf(place);
  }, complain);
