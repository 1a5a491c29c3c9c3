// A PDF in the reader: pages in a column, table of contents, search; it opens where the user left it.

import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Loading } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import type { Spot } from '../routes.ts';
import { type MatchPosition, type Opened, openPdf } from './document.ts';
import { storedView, storeView } from './kept.ts';
import { Finder, Password, PdfOutline } from './PdfParts.tsx';
import './viewers.css';
import './pdf.css';

interface Given {
  readonly address: string;
  readonly title: string;
  /** The storage key of the current page. */
  readonly keptAs: string;
  readonly spot?: Spot;
}

type Asking = { readonly give: (password: string) => void; readonly isWrong: boolean };

const mostScale = 5;
const leastScale = 0.25;
const step = 1.2;

export default function Pdf({ address, title, keptAs, spot }: Given) {
  const container = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [failure, setFailure] = useState<unknown>();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [page, setPage] = useState(1);
  const [scale, setScale] = useState(1);
  const [found, setFound] = useState<MatchPosition | null>(null);
  const [words, setWords] = useState('');
  const [shows, setShows] = useState<'contents' | null>(null);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const pdf = openPdf(address, element, {
      onPage(next) {
        setPage(next);
        storeView(`page ${keptAs}`, String(next));
      },
      onScale: setScale,
      onFound: (next, isOver) => setFound(isOver || next.of > 0 ? next : null),
      onPassword: (give, isWrong) => setAsking({ give, isWrong }),
    });
    let isGone = false;
    pdf.opened.then(
      (now) => {
        if (isGone) return;
        setAsking(null);
        now.scaleTo('page-width');
        if (now.scale() > 1.6) now.scaleTo(1.6);
        setOpened(now);
      },
      (why: unknown) => !isGone && setFailure(why),
    );
    return () => {
      isGone = true;
      pdf.close();
    };
  }, [address, keptAs]);

  const [spotPage, spotWords] = [spot?.page, spot?.words ?? ''];
  useEffect(() => {
    if (!opened) return;
    const at = spotPage ?? Number(storedView(`page ${keptAs}`) ?? 1);
    opened.goTo(at);
    setPage(Math.min(at, opened.pages));
    setWords(spotWords);
    if (spotWords) opened.find(spotWords.split(/\s+/).filter(Boolean));
  }, [opened, spotPage, spotWords, keptAs]);

  if (failure !== undefined) return <p className="viewer-failed">{t('pdf.broken')}</p>;
  const zoom = (by: 1 | -1) => opened?.scaleTo(Math.max(leastScale, Math.min(mostScale, by === 1 ? scale * step : scale / step)));
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey } = event;
    if ((ctrlKey || metaKey) && key === 'f') {
      event.preventDefault();
      field.current?.select();
    } else if (ctrlKey || metaKey || (target as Element).closest('input')) return;
    else if (key === '+' || key === '=') zoom(1);
    else if (key === '-') zoom(-1);
    else if (key === '0') opened?.scaleTo('page-width');
    else if (key === 'ArrowLeft' || key === 'ArrowRight') opened?.goTo(page + (key === 'ArrowRight' ? 1 : -1));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the viewer handles keys pressed anywhere in the document
    <div className="viewer pdf" onKeyDown={onKeyDown}>
      <div className="viewer-tools" role="toolbar" aria-label={t('viewer.tools')}>
        {opened && opened.outline.length > 0 && (
          <Tool
            icon="contents"
            says={t('pdf.contents')}
            isPressed={shows === 'contents'}
            press={() => setShows(shows === 'contents' ? null : 'contents')}
          />
        )}
        <Tool icon="up" says={t('pdf.before')} isOff={!opened || page <= 1} press={() => opened?.goTo(page - 1)} />
        <Tool icon="down" says={t('pdf.after')} isOff={!opened || page >= opened.pages} press={() => opened?.goTo(page + 1)} />
        <PageField page={page} pages={opened?.pages ?? 1} goTo={(next) => opened?.goTo(next)} />
        <span className="spring" />
        <Tool icon="minus" says={t('viewer.smaller')} isOff={!opened} press={() => zoom(-1)} />
        <output className="viewer-scale">{t('viewer.scale', { share: scale })}</output>
        <Tool icon="plus" says={t('viewer.larger')} isOff={!opened} press={() => zoom(1)} />
        <Tool icon="width" says={t('viewer.fit')} isOff={!opened} press={() => opened?.scaleTo('page-width')} />
        <Tool icon="rotate" says={t('pdf.rotate')} isOff={!opened} press={() => opened?.rotate()} />
        <span className="spring" />
        <Finder
          field={field}
          words={words}
          setWords={setWords}
          found={words === '' ? null : found}
          find={(given, way) => opened?.find(given, way)}
        />
      </div>
      <div className="pdf-desk">
        {shows === 'contents' && opened && <PdfOutline of={opened.outline} follow={opened.follow} />}
        <section className="pdf-frame" aria-label={title} aria-busy={!opened && !asking ? true : undefined}>
          {asking && <Password isWrong={asking.isWrong} give={asking.give} />}
          {!opened && !asking && <Loading />}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be focusable */}
          <div ref={container} className="pdf-scroll" tabIndex={0} role="document" aria-label={t('pdf.pages')}>
            <div className="pdfViewer" />
          </div>
        </section>
      </div>
    </div>
  );
}

interface ToolGiven {
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly says: string;
  readonly isOff?: boolean;
  readonly isPressed?: boolean;
  readonly press: () => void;
}

const Tool = ({ icon, says, isOff = false, isPressed, press }: ToolGiven) => (
  <button
    type="button"
    className="quiet icon-only"
    aria-label={says}
    title={says}
    aria-pressed={isPressed}
    disabled={isOff}
    onClick={press}
  >
    <Icon name={icon} />
  </button>
);

function PageField({ page, pages, goTo }: { page: number; pages: number; goTo: (page: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Number(typed) > 0) goTo(Number(typed));
    setTyped(null);
  };
  return (
    <form className="pdf-page" onSubmit={submit}>
      <label>
        <span className="sr-only">{t('pdf.pageNumber')}</span>
        <input
          inputMode="numeric"
          value={typed ?? page}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => setTyped(target.value.replaceAll(/\D/g, ''))}
          onBlur={() => setTyped(null)}
        />
      </label>
      <span>{t('pdf.ofPages', { pages })}</span>
    </form>
  );
}
