// The text size of the reader; stored in this browser.

import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';

const sizes = [0.85, 1, 1.15, 1.35, 1.6];
const chosenSize = () => Math.max(0, sizes.indexOf(Number(localStorage.getItem('letters') ?? 1)));

export interface Letters {
  readonly size: number;
  readonly isSmallest: boolean;
  readonly isLargest: boolean;
  readonly resize: (by: number) => void;
}

export function useTextSize(): Letters {
  const [step, setStep] = useState(chosenSize);
  const resize = (by: number) => {
    const next = Math.max(0, Math.min(sizes.length - 1, step + by));
    localStorage.setItem('letters', String(sizes[next]));
    setStep(next);
  };
  return { size: sizes[step] ?? 1, isSmallest: step === 0, isLargest: step === sizes.length - 1, resize };
}

export const TextSizeButtons = ({ letters: { isSmallest, isLargest, resize } }: { letters: Letters }) => (
  <fieldset className="letters-size">
    <legend className="sr-only">{t('letters.size')}</legend>
    <button type="button" className="quiet icon-only" aria-label={t('letters.smaller')} disabled={isSmallest} onClick={() => resize(-1)}>
      <Icon name="smaller" />
    </button>
    <button type="button" className="quiet icon-only" aria-label={t('letters.larger')} disabled={isLargest} onClick={() => resize(1)}>
      <Icon name="larger" />
    </button>
  </fieldset>
);
