// The sync status: current activity, last complete sync, problems and what to do about them.

import type { SyncStatus } from '../../contract/state.ts';
import { howLongAgo, moment } from '../../language/dates.ts';
import { adviceFor, issueWords, whyWords } from '../../language/issues.ts';
import { shareDone, syncStatusText, toDo } from '../../language/sync_status.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Lamp } from '../parts/Lamp.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { resting } from '../parts/resting.ts';
import { Shown } from '../parts/Shown.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { hrefOf } from '../routes.ts';
import { AccountCard } from './AccountCard.tsx';
import { HeldBackNotice } from './HeldBackNotice.tsx';
import { Recovered } from './Recovered.tsx';
import { SignInAgain } from './SignInAgain.tsx';
import { useTimeLeft } from './timeLeft.ts';
import { Verify } from './Verify.tsx';
import { PauseButton, Room, Waits } from './Waits.tsx';

export async function syncNow() {
  await call('sync.now').then(() => showToast(t('sync.asked')), complain);
}

export function SyncPage() {
  const status = useLive('status', 'sync.status');
  const account = useLive('account', 'account.current');
  return (
    <>
      <Heading title={t('sync.title')}>
        <PauseButton />
        <button type="button" className="primary" {...resting(status.value?.phase === 'syncing', () => void syncNow())}>
          <Icon name="sync" />
          {t('sync.now')}
        </button>
      </Heading>
      <Shown live={status}>{(found) => <Standing status={found} url={account.value?.url} />}</Shown>
    </>
  );
}

function Standing({ status, url }: { status: SyncStatus; url?: string }) {
  const { light, short, sentence } = syncStatusText(status);
  const left = useTimeLeft(status);
  const { phase, pending_edits, folder, held_back, way, trouble, rebuilt_at } = status;
  // A held-back sync, missing space and a needed sign-in have their own section above.
  const isToldAbove = (what: string) =>
    (held_back && what === 'many changes') || (status.no_room && what === 'no room') || (phase === 'sign in' && what === 'sign in');
  const issues = status.issues.filter(({ what }) => !isToldAbove(what));
  return (
    <div className="sync">
      <section className="standing" aria-label={t('sync.state')} data-light={light}>
        <Lamp light={light} />
        <div>
          <p className="standing-short">{short}</p>
          <p>
            {sentence}
            {left && <span className="time-left"> {left}</span>}
          </p>
          {status.phase === 'syncing' && <ProgressBar share={shareDone(status)} label={t('sync.progress')} />}
        </div>
      </section>
      {phase === 'sign in' && url && <SignInAgain url={url} />}
      {trouble && phase !== 'syncing' && (
        <p className="what-to-do">
          {t(toDo[trouble.kind])} <small>{t('trouble.since', { when: moment(trouble.since), why: whyWords(trouble) })}</small>
        </p>
      )}
      {rebuilt_at && <p className="what-to-do">{t('sync.rebuilt', { when: moment(rebuilt_at) })}</p>}
      {held_back && <HeldBackNotice heldBack={held_back} />}
      {status.waiting && <Waits waiting={status.waiting} />}
      {status.no_room && <Room room={status.no_room} />}
      <dl className="facts">
        <div>
          <dt>{t('sync.waiting')}</dt>
          <dd>
            {pending_edits === 0 ? (
              t('edits.count', { count: 0 })
            ) : (
              <a href={hrefOf({ at: 'outbox' })}>{t('edits.count', { count: pending_edits })}</a>
            )}
            {pending_edits > 0 && <small> {t('edits.safe')}</small>}
          </dd>
        </div>
        {way === 'lists' && (
          <div className="wide">
            <dt>{t('sync.way')}</dt>
            <dd>{t('sync.byLists')}</dd>
          </div>
        )}
        {folder && (
          <div className="wide">
            <dt>{t('folder.study')}</dt>
            <dd>
              <bdi className="path">{folder}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {issues.length > 0 && (
        <section aria-labelledby="issues">
          <h2 id="issues">{t('issues.count', { count: issues.length })}</h2>
          <ul className="issues">
            {issues.map((issue) => (
              <li key={`${issue.what} ${issue.where} ${issue.since}`}>
                <Icon name="warning" />
                <div>
                  <p className="issue-what">
                    <small>{issueWords(issue)}</small> <bdi>{issue.where}</bdi>
                  </p>
                  <p>{whyWords(issue)}</p>
                  <p className="issue-advice">{adviceFor(issue)}</p>
                </div>
                <time dateTime={issue.since}>{howLongAgo(issue.since)}</time>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Recovered amount={status.recovered} />
      <Verify />
      <AccountCard />
    </div>
  );
}
