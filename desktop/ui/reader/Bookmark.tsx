// The bookmark of a text with its note, and the highlights in the text.

import { useState } from 'react';
import type { Highlight, Reading } from '../../contract/reading.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { useKeeping } from '../writing/keeping.ts';

export function BookmarkButton({ reading: { reference, bookmark } }: { reading: Reading }) {
  const isMarked = bookmark?.is_marked ?? false;
  const note = bookmark?.note ?? '';
  const mark = () =>
    call('bookmarks.mark', { reference, marked: !isMarked, note: isMarked ? '' : note }).then(
      () =>
        showToast(
          t(isMarked ? 'bookmark.removed' : 'bookmark.set'),
          isMarked ? () => void call('bookmarks.mark', { reference, marked: true, note }).catch(complain) : undefined,
        ),
      complain,
    );
  return (
    <button
      type="button"
      className="quiet icon-only bookmark"
      data-key="b"
      aria-pressed={isMarked}
      aria-label={t('bookmark')}
      title={t('bookmark')}
      onClick={() => void mark()}
    >
      <Icon name="bookmark" />
    </button>
  );
}

/** Below the text: the note and the highlights. */
export function Marks({ reading: { reference, bookmark } }: { reading: Reading }) {
  if (!bookmark || (!bookmark.is_marked && bookmark.highlights.length === 0)) return null;
  return (
    <section className="marks" aria-label={t('bookmark.yours')}>
      {bookmark.is_marked && <Note note={bookmark.note} save={(note) => call('bookmarks.mark', { reference, marked: true, note })} />}
      {bookmark.highlights.length > 0 && (
        <ul>
          {bookmark.highlights.map((highlight) => (
            <Highlighted
              key={highlight.id}
              highlight={highlight}
              remove={() => call('bookmarks.unhighlight', { reference, id: highlight.id }).catch(complain)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Milliseconds between two saves: each one reloads the text. */
const every = 150;

function Note({ note, save }: { note: string; save: (note: string) => Promise<unknown> }) {
  const [text, setText] = useState(note);
  const { keep } = useKeeping(save, complain, every);
  return (
    <label className="mark-note">
      <span>{t('bookmark.note')}</span>
      <textarea
        rows={2}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          keep(value);
        }}
      />
    </label>
  );
}

const Highlighted = ({ highlight: { words }, remove }: { highlight: Highlight; remove: () => Promise<unknown> }) => (
  <li>
    <mark>{words}</mark>
    <button
      type="button"
      className="quiet icon-only"
      aria-label={t('highlight.remove', { words })}
      title={t('highlight.removeShort')}
      onClick={() => void remove()}
    >
      <Icon name="close" />
    </button>
  </li>
);
