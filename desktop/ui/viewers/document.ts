// The PDF behind its screen: opened by pdf.js in a worker, drawn page by page when visible, with search and links.

import { AnnotationMode, GlobalWorkerOptions, getDocument, PasswordResponses, type PDFDocumentProxy } from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { t } from '../../language/texts.ts';

GlobalWorkerOptions.workerSrc = workerAddress;

export interface OutlineItem {
  readonly title: string;
  readonly dest: string | unknown[] | null;
  readonly items: readonly OutlineItem[];
}

export interface MatchPosition {
  readonly at: number;
  readonly of: number;
}

interface Listening {
  readonly onPage: (page: number) => void;
  readonly onScale: (scale: number) => void;
  readonly onFound: (found: MatchPosition, isOver: boolean) => void;
  /** Called again after a wrong password. */
  readonly onPassword: (give: (password: string) => void, isWrong: boolean) => void;
}

export interface Opened {
  readonly pages: number;
  readonly outline: readonly OutlineItem[];
  readonly goTo: (page: number) => void;
  readonly follow: (item: OutlineItem) => void;
  /** A scale factor, or the width of the screen. */
  readonly scaleTo: (scale: number | 'page-width' | 'page-fit') => void;
  readonly scale: () => number;
  readonly rotate: () => void;
  readonly find: (words: string | readonly string[], way?: 'next' | 'back') => void;
  readonly close: () => void;
}

const data = (folder: string) => new URL(folder, document.baseURI).href;

/** pdf.js takes its messages from a localiser; ours only names pages, because nothing else is shown. */
const translator = {
  getLanguage: () => document.documentElement.lang,
  getDirection: () => document.documentElement.dir,
  get: async () => '',
  translate: async () => undefined,
  translateOnce: async () => undefined,
  destroy: async () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

export function openPdf(address: string, container: HTMLDivElement, listening: Listening): { opened: Promise<Opened>; close: () => void } {
  const loading = getDocument({
    url: new URL(address, document.baseURI).href,
    cMapUrl: data('pdf/'),
    standardFontDataUrl: data('pdf/'),
    wasmUrl: data('pdf/'),
    iccUrl: data('pdf/'),
    // The content security policy forbids WebAssembly, so image decoders run as plain scripts.
    useWasm: false,
    // The fonts of pdf.js have the widths that documents expect; system fonts may differ.
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
  });
  loading.onPassword = (give: (password: string) => void, reason: number) =>
    listening.onPassword(give, reason === PasswordResponses.INCORRECT_PASSWORD);
  const leaving = new AbortController();
  const close = () => {
    leaving.abort();
    void loading.destroy();
  };
  return { close, opened: loading.promise.then((found) => draw(found, container, listening, leaving.signal, close)) };
}

async function draw(
  found: PDFDocumentProxy,
  container: HTMLDivElement,
  { onPage, onScale, onFound }: Listening,
  abortSignal: AbortSignal,
  close: () => void,
): Promise<Opened> {
  // The viewer module expects pdf.js as a global, which importing pdf.js sets.
  const { EventBus, LinkTarget, PDFFindController, PDFLinkService, PDFViewer } = await import('pdfjs-dist/web/pdf_viewer.mjs');
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus, externalLinkTarget: LinkTarget.BLANK, externalLinkRel: 'noopener noreferrer' });
  const findController = new PDFFindController({ eventBus, linkService, updateMatchesCountOnProgress: true });
  const isForced = matchMedia('(forced-colors: active)').matches;
  const viewer = new PDFViewer({
    container,
    viewer: container.firstElementChild as HTMLDivElement,
    eventBus,
    linkService,
    findController,
    l10n: translator as never,
    annotationMode: AnnotationMode.ENABLE,
    maxCanvasPixels: 2 ** 24,
    ...(isForced && { pageColors: { background: 'Canvas', foreground: 'CanvasText' } }),
    // Exists in pdf.js but not in its types.
    ...({ abortSignal } as object),
  });
  linkService.setViewer(viewer);
  const ready = new Promise<void>((resolve) => eventBus.on('pagesinit', () => resolve()));
  viewer.setDocument(found);
  linkService.setDocument(found, null);
  await ready;
  const { numPages: pages } = found;
  for (const [at, page] of [...(viewer.viewer?.children ?? [])].entries())
    page.setAttribute('aria-label', t('pdf.page', { page: at + 1, pages }));
  // One tab stop for all pages, so that keyboard users do not have to tab through each of them.
  eventBus.on('textlayerrendered', ({ source }: { source: { div?: HTMLElement } }) =>
    source.div?.querySelector('.textLayer')?.removeAttribute('tabindex'),
  );
  eventBus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => onPage(pageNumber));
  eventBus.on('scalechanging', ({ scale }: { scale: number }) => onScale(scale));
  const refit = new ResizeObserver(() => {
    if (viewer.currentScaleValue === 'page-width') viewer.currentScaleValue = 'page-width';
  });
  refit.observe(container);
  abortSignal.addEventListener('abort', () => refit.disconnect(), { once: true });
  const tell = ({ matchesCount, state }: { matchesCount: { current: number; total: number }; state?: number }) =>
    onFound({ at: matchesCount.current, of: matchesCount.total }, state !== undefined && state !== 3);
  eventBus.on('updatefindmatchescount', tell);
  eventBus.on('updatefindcontrolstate', tell);
  const outline = ((await found.getOutline().catch(() => null)) ?? []) as readonly OutlineItem[];
  return {
    pages,
    outline,
    close,
    goTo: (page) => {
      viewer.currentPageNumber = Math.max(1, Math.min(pages, page));
    },
    follow: ({ dest }) => {
      if (dest) void linkService.goToDestination(dest as string).catch(() => undefined);
    },
    scaleTo: (scale) => {
      // It scrolls back to its last location, which may be the page before a key was pressed.
      viewer.update();
      viewer.currentScaleValue = String(scale);
    },
    scale: () => viewer.currentScale,
    rotate: () => {
      viewer.pagesRotation = (viewer.pagesRotation + 90) % 360;
    },
    find: (words, way) =>
      eventBus.dispatch('find', {
        source: container,
        type: way ? 'again' : '',
        query: words,
        caseSensitive: false,
        entireWord: false,
        highlightAll: true,
        findPrevious: way === 'back',
        matchDiacritics: false,
      }),
  };
}
