// A file in the reader: documents, images, audio, video and texts in their viewers; other kinds open in another program.

import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import type { FileReading as File, Reading } from '../../contract/reading.ts';
import { size } from '../../language/amounts.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { FileListRow } from '../files/FileListRow.tsx';
import { openElsewhere, revealFile } from '../files/open.ts';
import { call } from '../host.ts';
import { Blank, Loading } from '../parts/Blank.tsx';
import { Boundary } from '../parts/Boundary.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import type { Spot } from '../routes.ts';
import { VersionsLink } from '../versions/Link.tsx';
import { BookmarkButton } from './Bookmark.tsx';
import { Sheet } from './Sheet.tsx';
import { TextSizeButtons, useTextSize } from './TextSizeButtons.tsx';

// The viewers are large and rarely all needed, so each is loaded on first use.
const Pdf = lazy(() => import('../viewers/Pdf.tsx'));
const Picture = lazy(() => import('../viewers/Picture.tsx'));
const Player = lazy(() => import('../viewers/Player.tsx'));

interface Given {
  readonly reading: Reading;
  readonly file: File;
  readonly up: string;
  readonly spot?: Spot;
  readonly children: ReactNode;
}

export function FilePane({ reading, file, up, spot, children }: Given) {
  const messages = useTextSize();
  const { here, viewer, view } = file;
  const { id, course_id } = reading.reference;
  useEffect(() => {
    if (here && viewer) void call('reader.seen', { kind: 'file', id }).catch(() => undefined);
  }, [here, viewer, id]);
  const isShown = here && viewer !== null;
  return (
    <article className="reader file-reading" data-viewer={isShown ? viewer : undefined} data-cloth={cloth(course_id)}>
      <Heading title={reading.title} above={<Up to={up}>{reading.course_name}</Up>}>
        {!file.hangs && <BookmarkButton reading={reading} />}
        {isShown && viewer === 'text' && <TextSizeButtons letters={messages} />}
        {isShown && <Elsewhere id={id} name={view.name} />}
      </Heading>
      {isShown && (
        <p className="byline">
          <span>{view.updated_at ? t('files.changed', { size: size(view.size), when: moment(view.updated_at) }) : size(view.size)}</span>
          <VersionsLink reading={reading} />
        </p>
      )}
      {isShown ? (
        <Boundary>
          <Suspense fallback={<Loading />}>
            <Viewed reading={reading} file={file} letters={messages.size} spot={spot} />
          </Suspense>
        </Boundary>
      ) : (
        <NotShown file={file} course_id={course_id} />
      )}
      {children}
    </article>
  );
}

const Elsewhere = ({ id, name }: { id: number; name: string }) => (
  <>
    <button
      type="button"
      className="quiet icon-only"
      aria-label={t('files.reveal', { name })}
      title={t('files.revealShort')}
      onClick={() => void revealFile(id)}
    >
      <Icon name="folder" />
    </button>
    <button
      type="button"
      className="quiet icon-only"
      data-key="e"
      aria-label={t('file.elsewhere')}
      title={t('file.elsewhere')}
      onClick={() => void openElsewhere(id)}
    >
      <Icon name="open" />
    </button>
  </>
);

interface ViewedGiven {
  readonly reading: Reading;
  readonly file: File;
  readonly letters: number;
  readonly spot?: Spot;
}

/** The viewer of a file; its caller shows something meanwhile (`Suspense`). */
export function Viewed({ reading, file: { view, viewer, cut }, letters, spot }: ViewedGiven) {
  const address = `/files/${view.id}/${encodeURIComponent(view.name)}`;
  // The key includes the content: a replaced file is another document.
  const version = `${view.id} ${view.updated_at ?? ''} ${view.size}`;
  switch (viewer) {
    case 'pdf':
      return <Pdf key={version} address={address} title={view.name} keptAs={`${view.id}`} spot={spot} />;
    case 'image':
      return <Picture key={version} address={address} name={view.name} />;
    case 'audio':
    case 'video':
      return <Player key={version} address={address} name={view.name} kind={viewer} openElsewhere={() => void openElsewhere(view.id)} />;
    default:
      return (
        <>
          {reading.html.trim() === '' ? <Blank icon="page" title={t('reader.empty')} /> : <Sheet reading={reading} letters={letters} />}
          {cut && <p className="file-cut">{t('file.cut')}</p>}
        </>
      );
  }
}

const NotShown = ({ file: { view, here, hangs }, course_id }: { file: File; course_id: number }) => (
  <>
    {!hangs && (
      <ul className="folders file-card">
        <FileListRow file={view} course_id={course_id} />
      </ul>
    )}
    {here && (
      <p className="file-open">
        <button type="button" className="primary" data-key="e" onClick={() => void openElsewhere(view.id)}>
          <Icon name="open" />
          {t('file.elsewhere')}
        </button>
      </p>
    )}
  </>
);
