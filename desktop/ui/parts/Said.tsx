// What the desk says after an action: a line at the foot of the screen, spoken by screen readers, sometimes with a way back.

import { useEffect, useState } from 'react';
import { t } from '../words/texts.ts';

interface Saying {
  readonly text: string;
  readonly tone: 'plain' | 'bad';
  readonly undo?: () => void;
}

let show: (saying: Saying) => void = () => undefined;
export const say = (text: string, undo?: () => void) => show({ text, tone: 'plain', undo });
export const complain = (failure: unknown) => show({ text: failure instanceof Error ? failure.message : String(failure), tone: 'bad' });

export function Said() {
  const [saying, setSaying] = useState<Saying | null>(null);
  useEffect(() => {
    show = setSaying;
  }, []);
  useEffect(() => {
    if (!saying) return;
    const timer = setTimeout(() => setSaying(null), saying.undo || saying.tone === 'bad' ? 12_000 : 5000);
    return () => clearTimeout(timer);
  }, [saying]);
  return (
    <div className="said" role="status" aria-live="polite">
      {saying && (
        <p data-tone={saying.tone}>
          {saying.text}
          {saying.undo && (
            <button
              type="button"
              onClick={() => {
                saying.undo?.();
                setSaying(null);
              }}
            >
              {t('undo')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
