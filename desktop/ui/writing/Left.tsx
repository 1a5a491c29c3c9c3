// A draft that cannot be sent any more: it can be read and copied until it is discarded.

import type { Unfinished, WritingPlace } from '../../contract/writing.ts';
import { t } from '../../language/texts.ts';
import { Attached } from '../parts/Attached.tsx';
import { useWriting } from './useWriting.ts';

export function Left({ place, blank }: { place: WritingPlace; blank: Unfinished }) {
  const { words, change, discard, isBegun } = useWriting(place, blank);
  if (!isBegun) return null;
  const { text, files = [] } = words;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it replaces a field and takes its focus, so that a typed space does not press a button
    <section className="left" aria-label={t('writing.left')} tabIndex={0}>
      <p className="thread-note">{t('writing.leftMeans')}</p>
      {text !== '' && <p className="left-words">{text}</p>}
      <Attached
        files={files}
        drop={({ sha256 }) => change(({ files: before = [] }) => ({ files: before.filter((one) => one.sha256 !== sha256) }))}
      />
      <p>
        <button type="button" className="quiet" onClick={discard}>
          {t('writing.discard')}
        </button>
      </p>
    </section>
  );
}
