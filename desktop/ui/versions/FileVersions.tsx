// The earlier versions of a file, newest first. They are on the server: each look asks it, and without a connection the screen says so.

import { useCallback, useEffect, useState } from 'react';
import type { FileVersionCard, FileVersionsView } from '../../contract/file_versions.ts';
import type { Reference } from '../../contract/reading.ts';
import { size } from '../../language/amounts.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { Blank, LoadFailure, Loading } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { resting } from '../parts/resting.ts';
import { complain, showToast } from '../parts/Toast.tsx';
import { addressOfReading } from '../routes.ts';
import { CurrentVersion } from './CurrentVersion.tsx';
import { NoVersions } from './Versions.tsx';

export function FileVersions({ reference }: { reference: Reference }) {
  const { id } = reference;
  const [answer, setAnswer] = useState<FileVersionsView | Error | null>();
  const ask = useCallback(
    () =>
      call('file.versions', { id }).then(setAnswer, (problem) =>
        setAnswer(problem instanceof Error ? problem : new Error(String(problem))),
      ),
    [id],
  );
  useEffect(() => void ask(), [ask]);
  if (answer === undefined)
    return (
      <>
        <Heading title={t('versions.title')} />
        <p className="versions-asked" role="status">
          {t('signIn.asking')}
        </p>
        <Loading />
      </>
    );
  if (answer instanceof Error) return <LoadFailure failure={answer} readAgain={ask} />;
  if (answer === null) return <NoVersions reference={reference} />;
  return <List of={answer} reference={reference} askAgain={ask} />;
}

function List({ of, reference, askAgain }: { of: FileVersionsView; reference: Reference; askAgain: () => Promise<void> }) {
  const { id, title, course_id, asked, current, is_edited, earlier } = of;
  const [busy, setBusy] = useState(false);
  const during = (work: Promise<unknown>) => {
    setBusy(true);
    void work.catch(complain).finally(() => setBusy(false));
  };
  const restore = (version: FileVersionCard) =>
    during(
      call('file.version_restore', { id, version_id: version.id, current: current.version }).then(() => {
        showToast(t('fileVersions.restored', { name: title }));
        return askAgain();
      }),
    );
  const save = (version: FileVersionCard) =>
    during(call('file.version_save', { id, version }).then(({ file }) => showToast(t('fileVersions.saved', { where: file }))));
  return (
    <article className="reader" data-cloth={cloth(course_id)}>
      <Heading title={t('versions.title')} above={<Up to={addressOfReading(reference)}>{title}</Up>} />
      {asked === 'not reached' ? (
        <Blank icon="history" title={t('fileVersions.offline')}>
          <button type="button" {...resting(busy, () => during(askAgain()))}>
            {t('again')}
          </button>
        </Blank>
      ) : asked === 'not told' ? (
        <Blank icon="history" title={t('fileVersions.notTold')} />
      ) : (
        <>
          <p className="versions-about">{t('fileVersions.about')}</p>
          {is_edited && <p className="versions-about">{t('fileVersions.edited')}</p>}
          <ol className="versions">
            <CurrentVersion href={addressOfReading(reference)}>
              <Saved at={current.saved_at} bytes={current.size} />
            </CurrentVersion>
            {earlier.map((version) => (
              <Earlier
                key={version.id}
                of={version}
                now={title}
                busy={busy}
                onRestore={() => restore(version)}
                onSave={() => save(version)}
              />
            ))}
          </ol>
          {earlier.length === 0 && <p className="versions-none">{t('versions.none')}</p>}
        </>
      )}
    </article>
  );
}

interface Given {
  readonly of: FileVersionCard;
  readonly now: string;
  readonly busy: boolean;
  readonly onRestore: () => void;
  readonly onSave: () => void;
}

function Earlier({ of: { name, saved_at, replaced_at, size: bytes }, now, busy, onRestore, onSave }: Given) {
  const title = replaced_at ? t('versions.until', { when: moment(replaced_at) }) : t('versions.earlier');
  return (
    <li className="version">
      <h2 className="version-title">{title}</h2>
      {name !== now && <p className="version-called">{t('versions.called', { title: name })}</p>}
      <Saved at={saved_at} bytes={bytes} />
      <p className="version-acts">
        <button type="button" aria-label={t('fileVersions.restoreOf', { version: title })} {...resting(busy, onRestore)}>
          <Icon name="history" />
          {t('recovered.restore')}
        </button>
        <button type="button" className="quiet" aria-label={t('fileVersions.saveOf', { version: title })} {...resting(busy, onSave)}>
          {t('fileVersions.save')}
        </button>
      </p>
    </li>
  );
}

const Saved = ({ at, bytes }: { at: string | null; bytes: number }) => (
  <p className="version-written">
    {at && <time dateTime={at}>{t('fileVersions.at', { when: moment(at) })}</time>}
    <span>{size(bytes)}</span>
  </p>
);
