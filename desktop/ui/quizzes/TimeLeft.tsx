// The time left of an attempt, by the server's clock, and announced a few times only.

import { useEffect, useState } from 'react';
import { clockTime } from '../../language/dates.ts';
import { countdown } from '../../language/quizzes.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';

/** Milliseconds, updated every second; null without an end. */
export function useCountdown(ends_at: string | null): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (ends_at === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ends_at]);
  return ends_at === null ? null : Date.parse(ends_at) - now;
}

/** The minutes at which a screen reader says how much is left. */
const announced = [30, 10, 5, 1];

export function TimeLeft({ left, ends_at }: { left: number; ends_at: string }) {
  const minutes = left / 60_000;
  const last = announced.findLast((one) => minutes <= one);
  return (
    <p className="quiz-time" data-tone={minutes <= 1 ? 'bad' : minutes <= 5 ? 'warn' : undefined}>
      <Icon name="clock" />
      <b aria-hidden="true">{countdown(left)}</b>
      <small>{t('quiz.until', { time: clockTime(ends_at) })}</small>
      <span className="sr-only" role="status">
        {left <= 0 ? t('quiz.timeUp') : last === undefined ? '' : t('quiz.minutesLeft', { count: last })}
      </span>
    </p>
  );
}
