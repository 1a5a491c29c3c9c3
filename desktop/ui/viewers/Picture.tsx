// An image, fitted or zoomed; scrolling moves it.

import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import './viewers.css';

const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

export default function Picture({ address, name }: { address: string; name: string }) {
  const [scale, setScale] = useState<number | null>(null);
  const [natural, setNatural] = useState<{ width: number; height: number } | null>(null);
  const [failed, setFailed] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  if (failed) return <p className="viewer-failed">{t('file.unshown')}</p>;
  const shown = scale ?? (natural && image.current ? image.current.clientWidth / natural.width : 1);
  const zoom = (by: 1 | -1) =>
    setScale(by === 1 ? (steps.find((step) => step > shown + 0.01) ?? 8) : (steps.findLast((step) => step < shown - 0.01) ?? 0.1));
  const onKeyDown = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey) return;
    if (key === '+' || key === '=') zoom(1);
    else if (key === '-') zoom(-1);
    else if (key === '0') setScale(null);
  };
  return (
    <div className="viewer">
      <div className="viewer-tools" role="toolbar" aria-label={t('viewer.tools')}>
        <button
          type="button"
          className="quiet icon-only"
          aria-label={t('viewer.smaller')}
          title={t('viewer.smaller')}
          onClick={() => zoom(-1)}
        >
          <Icon name="minus" />
        </button>
        <output className="viewer-scale">{t('viewer.scale', { share: natural ? shown : 1 })}</output>
        <button
          type="button"
          className="quiet icon-only"
          aria-label={t('viewer.larger')}
          title={t('viewer.larger')}
          onClick={() => zoom(1)}
        >
          <Icon name="plus" />
        </button>
        <button type="button" className="quiet" aria-pressed={scale === null} onClick={() => setScale(null)}>
          {t('viewer.whole')}
        </button>
        <button type="button" className="quiet" aria-pressed={scale === 1} onClick={() => setScale(1)}>
          {t('viewer.actual')}
        </button>
        {natural && natural.width > 0 && <small className="viewer-note">{t('picture.measures', natural)}</small>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be focusable */}
      <section className="picture" tabIndex={0} aria-label={t('picture.of', { name })} data-fits={scale === null} onKeyDown={onKeyDown}>
        <img
          ref={image}
          src={address}
          alt={name}
          style={scale === null || !natural ? undefined : { inlineSize: natural.width * scale }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setNatural({ width: naturalWidth, height: naturalHeight })}
          onError={() => setFailed(true)}
        />
      </section>
    </div>
  );
}
