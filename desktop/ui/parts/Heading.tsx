// The title of a screen. It takes the focus when the screen opens, so that screen readers announce it.

import { type ReactNode, useEffect, useRef } from 'react';
import { langOf } from '../../language/guess_language.ts';

// The first screen does not take the focus, so that the skip link stays the first stop. Neither does a redraw or a renamed title.
let hasMoved = false;
window.addEventListener('hashchange', () => {
  hasMoved = true;
});

interface Given {
  readonly title: string;
  readonly above?: ReactNode;
  /** The current part of the screen, placed before the screen's name in the window title. */
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

/** Above a title: a link to the parent screen; `u` opens it. */
export const Up = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={to} data-key="u">
    {children}
  </a>
);
