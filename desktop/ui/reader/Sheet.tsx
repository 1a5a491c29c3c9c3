// The frame of a reading: no scripts, as tall as its text, and its links open in the desk.

import { useEffect, useRef, useState } from 'react';
import type { Reading } from '../../contract/reading.ts';
import type { VersionKey } from '../../contract/versions.ts';
import { t } from '../../language/texts.ts';
import { call, host } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { useSettled } from '../parts/settled.ts';
import { complain, showToast } from '../parts/Toast.tsx';
import { addressOfFile } from '../routes.ts';
import { hasOtherScripts, scriptsSheet } from '../scripts.ts';
import { readingDocument } from './document.ts';
import { drawHighlights, selectedIn } from './highlights.ts';
import { type Picker, pickIn } from './picking.ts';
import styleSheet from './reading.css?url';

interface Props {
  readonly reading: Reading;
  readonly letters: number;
  /** An earlier version of the text: it has no highlights. */
  readonly version?: { readonly key: VersionKey; readonly isCompared: boolean };
  /** A text without highlights. */
  readonly isPlain?: boolean;
}

const followed = (event: MouseEvent) => {
  // `instanceof` fails, because the element belongs to the frame's realm.
  const link = (event.target as Element | null)?.closest?.('a[href]');
  const address = link?.getAttribute('href');
  if (!address || (address.startsWith('#') && !address.startsWith('#/'))) return;
  event.preventDefault();
  const file = /^\/files\/(\d+)/.exec(address)?.[1];
  if (file) location.hash = addressOfFile(Number(file));
  else if (address.startsWith('#/')) location.hash = address;
  else if (/^(https?|mailto):/.test(address)) window.open(address, '_blank', 'noopener,noreferrer');
};

const none: readonly [] = [];
/** Milliseconds. */
const aMoment = 200;
const themeWorn = () => document.documentElement.dataset.theme;

export const Sheet = (props: Props) => (host.readingsAt ? <SheetApart {...props} at={host.readingsAt} /> : <SheetHere {...props} />);

export function SheetHere({ reading, letters, version, isPlain = version !== undefined }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(240);
  const [selected, setSelected] = useState<ReturnType<typeof selectedIn>>(null);
  const highlights = reading.bookmark?.highlights ?? none;
  const marks = useRef(highlights);
  const picker = useRef<Picker>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const spoken = useSettled(picker.current ? (selected?.words ?? '') : '', aMoment);
  useEffect(() => {
    marks.current = highlights;
    const inside = frame.current?.contentDocument;
    if (inside?.body) drawHighlights(inside, highlights);
  }, [highlights]);
  const pick = () => {
    const element = frame.current;
    const inside = element?.contentDocument;
    if (!inside?.body) return;
    element?.contentWindow?.focus();
    picker.current = pickIn(inside);
    if (picker.current) showToast(t('highlight.how'));
  };
  const stopPicking = () => {
    if (!picker.current) return;
    picker.current = null;
    frame.current?.contentDocument?.getSelection()?.removeAllRanges();
    // It is redrawn as soon as nothing is selected.
    setTimeout(() => chooser.current?.focus(), aMoment);
  };
  const highlight = () => {
    const inside = frame.current?.contentDocument;
    const chosen = (inside && selectedIn(inside)) ?? selected;
    if (!chosen) return;
    const { reference } = reading;
    const id = crypto.randomUUID();
    call('bookmarks.highlight', { reference, highlight: { id, ...chosen } }).then(() => {
      if (picker.current) stopPicking();
      else frame.current?.contentDocument?.getSelection()?.removeAllRanges();
      showToast(t('highlight.set'), () => void call('bookmarks.unhighlight', { reference, id }).catch(complain));
    }, complain);
  };
  const pressed = useRef((_key: string, _isFurther: boolean): boolean => false);
  pressed.current = (key, isFurther) => {
    if (key === 'Enter') highlight();
    else if (key === 'Escape') stopPicking();
    else return picker.current?.press(key, isFurther) ?? false;
    return true;
  };
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let watch: ResizeObserver | undefined;
    let known: Document | undefined;
    let waiting = 0;
    const open = (inside: Document) => {
      known = inside;
      const measure = () => setHeight(Math.ceil(inside.documentElement.getBoundingClientRect().height) + 2);
      watch?.disconnect();
      watch = new ResizeObserver(measure);
      watch.observe(inside.documentElement);
      inside.addEventListener('click', followed);
      inside.addEventListener('selectionchange', () => setSelected(selectedIn(inside)));
      drawHighlights(inside, marks.current);
      inside.addEventListener('pointerdown', () => {
        picker.current = null;
      });
      // Keys pressed in the frame are passed to the desk, except those that select words.
      inside.addEventListener('keydown', (event) => {
        const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
        if (picker.current && !ctrlKey && !metaKey && !altKey && pressed.current(key, shiftKey)) return event.preventDefault();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey, bubbles: true }));
      });
      measure();
    };
    // Waits for the text only: `load` waits for every image, and a link may be clicked before that.
    const look = () => {
      cancelAnimationFrame(waiting);
      const inside = element.contentDocument;
      if (!inside?.body || inside.URL !== 'about:srcdoc') waiting = requestAnimationFrame(look);
      else if (inside !== known) open(inside);
    };
    element.addEventListener('load', look);
    look();
    return () => {
      element.removeEventListener('load', look);
      cancelAnimationFrame(waiting);
      watch?.disconnect();
    };
  }, []);
  return (
    <div className="sheet-frame">
      {!selected && !isPlain && (
        <button type="button" className="highlighter choose-words" data-key="h" ref={chooser} onClick={pick}>
          <Icon name="marker" />
          {t('highlight.choose')}
        </button>
      )}
      <p className="sr-only" role="status">
        {spoken}
      </p>
      {selected && !isPlain && (
        // Pressing the button would clear the selection before the click.
        <button
          type="button"
          className="primary highlighter"
          data-key="h"
          onMouseDown={(event) => event.preventDefault()}
          onClick={highlight}
        >
          <Icon name="marker" />
          {t('highlight')}
        </button>
      )}
      <iframe
        ref={frame}
        className="sheet"
        title={reading.title}
        sandbox="allow-same-origin"
        srcDoc={readingDocument(reading, {
          styleSheet: new URL(styleSheet, document.baseURI).href,
          scripts: hasOtherScripts(reading.html) ? scriptsSheet : undefined,
          theme: themeWorn(),
          letters,
        })}
        style={{ height }}
      />
    </div>
  );
}

/** Electron serves readings from another scheme, so that they share neither process nor origin with the desk. */
function SheetApart({ reading, letters, version, at }: Props & { at: string }) {
  const { kind, course_id, id } = reading.reference;
  const setting = new URLSearchParams({ theme: themeWorn() ?? '', letters: String(letters), of: reading.updated_at ?? '' });
  if (version) setting.set('version', version.key);
  if (version?.isCompared) setting.set('compared', '1');
  return (
    <iframe
      className="sheet apart"
      title={reading.title}
      sandbox="allow-top-navigation-by-user-activation allow-popups"
      src={`${at}/${kind}/${course_id}/${id}?${setting}`}
    />
  );
}
