// The title of a screen. It takes the focus when the screen opens, so that a screen reader says where one is.

import { type ReactNode, useEffect, useRef } from 'react';
import { langOf } from '../words/languages.ts';

// The first screen leaves the focus to the page, so that the skip link stays the first stop. A screen that is only drawn anew, or called
// otherwise, takes it from nobody.
let hasMoved = false;
window.addEventListener('hashchange', () => {
  hasMoved = true;
});

interface Given {
  readonly title: string;
  readonly above?: ReactNode;
  /** Which part of the screen is shown: it stands before the title in the window's. */
  readonly part?: string;
  readonly children?: ReactNode;
}

export function Heading({ title, above, part, children }: Given) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [part, title, 'Carrel'].filter(Boolean).join(' · ');
  }, [part, title]);
  useEffect(() => {
    if (hasMoved) heading.current?.focus({ preventScroll: true });
    hasMoved = false;
  }, []);
  return (
    <header className="heading">
      <div>
        {above && <div className="heading-above">{above}</div>}
        <h1 ref={heading} tabIndex={-1} lang={langOf(title)}>
          {title}
        </h1>
      </div>
      {children && <div className="heading-actions">{children}</div>}
    </header>
  );
}

/** Above a title: what this is a part of. `u` leads up. */
export const Up = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={to} data-key="u">
    {children}
  </a>
);
