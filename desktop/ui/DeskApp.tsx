// The signed-in UI: navigation rail on one side, the screen named by the address on the other.

import { useEffect, useRef, useState } from 'react';
import { t } from '../language/texts.ts';
import { Outside } from './account/Outside.tsx';
import { SignInPage } from './account/SignInPage.tsx';
import { Announcements } from './announcements/Announcements.tsx';
import { AuthorPage } from './authoring/AuthorPage.tsx';
import { Bookmarks } from './bookmarks/Bookmarks.tsx';
import { Calendar } from './calendar/Calendar.tsx';
import { Choose } from './choose/Choose.tsx';
import { CoursePage } from './courses/CoursePage.tsx';
import { Courses } from './courses/Courses.tsx';
import { Files } from './files/Files.tsx';
import { FolderGradesPage } from './folders/FolderGradesPage.tsx';
import { GradingPage } from './grading/GradingPage.tsx';
import { ConversationPane } from './inbox/ConversationPane.tsx';
import { Inbox } from './inbox/Inbox.tsx';
import { useKeptFocus } from './keep_focus.ts';
import { useKeys } from './keys.ts';
import { forgetEverything, useLive } from './live.ts';
import { useNotifications } from './news/useNotifications.ts';
import { OutboxPage } from './outbox/OutboxPage.tsx';
import { Loading } from './parts/Blank.tsx';
import { Boundary } from './parts/Boundary.tsx';
import { hush, Toast } from './parts/Toast.tsx';
import { AttemptPage } from './quizzes/AttemptPage.tsx';
import { QuizPage } from './quizzes/QuizPage.tsx';
import { Rail } from './Rail.tsx';
import { ReaderPage } from './reader/ReaderPage.tsx';
import { type DeskRoute, placeFrom, useAddress } from './routes.ts';
import { Shortcuts } from './Shortcuts.tsx';
import { Search } from './search/Search.tsx';
import { Settings } from './settings/Settings.tsx';
import { useSurroundings } from './surroundings.ts';
import { Banner } from './sync/Banner.tsx';
import { SyncPage } from './sync/SyncPage.tsx';
import { Today } from './today/Today.tsx';
import { FileVersions } from './versions/FileVersions.tsx';
import { VersionPage } from './versions/VersionPage.tsx';
import { Versions } from './versions/Versions.tsx';

export function DeskApp() {
  const account = useLive('account', 'account.current');
  const id = account.value?.id;
  const last = useRef(id);
  useKeptFocus();
  // Runs before the other account is drawn, so that nothing of the previous one stays visible.
  if (last.current !== undefined && last.current !== id) forgetEverything();
  last.current = id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the account changes
  useEffect(hush, [id]);
  if (account.failure && !account.value) return <Outside failure={account.failure} readAgain={account.readAgain} />;
  if (account.value === undefined) return <Loading />;
  return (
    <>
      {account.value === null ? <SignInPage /> : <SignedIn key={account.value.id} gone={account.failure} />}
      <Toast />
    </>
  );
}

function SignedIn({ gone }: { gone: Error | undefined }) {
  const place = placeFrom(useAddress());
  const [showKeys, setShowKeys] = useState(false);
  useKeys();
  useNotifications();
  useSurroundings();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen starts at its top
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [JSON.stringify(place)]);
  return (
    <div className="desk">
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link within the page, but the hash is used for routes */}
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {t('skip')}
      </a>
      <Rail place={place} showKeys={() => setShowKeys(true)} />
      <main id="main" tabIndex={-1}>
        {gone && (
          <p className="gone" role="alert">
            {gone.message}
          </p>
        )}
        <Banner place={place} />
        <Boundary key={place.at}>
          <Screen place={place} />
        </Boundary>
      </main>
      {showKeys && <Shortcuts onClose={() => setShowKeys(false)} />}
    </div>
  );
}

function Screen({ place }: { place: DeskRoute }) {
  switch (place.at) {
    case 'today':
      return <Today />;
    case 'courses':
      return <Courses />;
    case 'course':
      return <CoursePage key={place.course_id} course_id={place.course_id} tab={place.tab} />;
    case 'files':
      return <Files />;
    case 'choose':
      return <Choose />;
    case 'announcements':
      return <Announcements />;
    case 'search':
      return <Search text={place.text} />;
    case 'inbox':
      return place.id === null ? <Inbox shelf={place.shelf} /> : <ConversationPane key={place.id} id={place.id} />;
    case 'sync':
      return <SyncPage />;
    case 'outbox':
      return <OutboxPage />;
    case 'bookmarks':
      return <Bookmarks />;
    case 'calendar':
      return <Calendar view={place.view} month={place.month} />;
    case 'settings':
      return <Settings />;
    case 'read':
      return <ReaderPage key={`${place.reference.kind}-${place.reference.id}`} reference={place.reference} spot={place.spot} />;
    case 'quiz':
      return <QuizPage key={place.id} course_id={place.course_id} id={place.id} />;
    case 'attempt':
      return <AttemptPage key={place.id} course_id={place.course_id} id={place.id} />;
    case 'grade':
      return (
        <GradingPage
          key={`${place.course_id}-${place.assignment_id}`}
          course_id={place.course_id}
          assignment_id={place.assignment_id}
          user_id={place.user_id}
        />
      );
    case 'author': {
      const { kind, course_id, id } = place.place;
      return <AuthorPage key={`${kind}-${course_id}-${id}`} place={place.place} />;
    }
    case 'folders':
      return <FolderGradesPage key={place.course_id} course_id={place.course_id} />;
    case 'versions': {
      const { reference, key } = place;
      const of = `${reference.kind}-${reference.id}`;
      if (reference.kind === 'file') return <FileVersions key={of} reference={reference} />;
      return key === null ? <Versions key={of} reference={reference} /> : <VersionPage key={of} reference={reference} version={key} />;
    }
    default:
      return place satisfies never;
  }
}
