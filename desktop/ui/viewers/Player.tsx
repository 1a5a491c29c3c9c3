// Audio and video, played from the local file; playback resumes where the user stopped.

import { useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { storedView, storeView } from './kept.ts';
import './viewers.css';

interface Given {
  readonly address: string;
  readonly name: string;
  readonly kind: 'audio' | 'video';
  readonly openElsewhere: () => void;
}

const speeds = [0.75, 1, 1.25, 1.5, 2];
/** Seconds: an earlier position is not remembered. */
const least = 15;

export default function Player({ address, name, kind: Kind, openElsewhere }: Given) {
  const player = useRef<HTMLMediaElement>(null);
  const [speed, setSpeed] = useState(1);
  const [failed, setFailed] = useState(false);
  if (failed)
    return (
      <div className="viewer-failed">
        <p>{t('player.cannot')}</p>
        <button type="button" className="primary" onClick={openElsewhere}>
          <Icon name="open" />
          {t('file.elsewhere')}
        </button>
      </div>
    );
  const choose = (chosen: number) => {
    setSpeed(chosen);
    if (player.current) player.current.playbackRate = chosen;
  };
  return (
    <div className="viewer player" data-kind={Kind}>
      <Kind
        ref={player as never}
        src={address}
        controls
        preload="metadata"
        aria-label={name}
        onLoadedMetadata={({ currentTarget }) => {
          const left = Number(storedView(`played ${address}`));
          if (left > least && left < currentTarget.duration - least) currentTarget.currentTime = left;
        }}
        onTimeUpdate={({ currentTarget }) => storeView(`played ${address}`, String(Math.floor(currentTarget.currentTime)))}
        onError={() => setFailed(true)}
      />
      <fieldset className="choices speeds">
        <legend>{t('player.speed')}</legend>
        {speeds.map((one) => (
          <label key={one}>
            <input type="radio" name="speed" checked={speed === one} onChange={() => choose(one)} />
            <span>{t('player.times', { speed: one })}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
