// The title of a screen. It takes the focus when the screen opens, so that a screen reader says where one is.

import { type ReactNode, useEffect, useRef } from 'react';

// The first screen leaves the focus to the page, so that the skip link stays the first stop.
let hasMoved = false;
window.addEventListener('hashchange', () => {
  hasMoved = true;
});

export function Heading({ title, above, children }: { title: string; above?: ReactNode; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Carrel`;
    if (hasMoved) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <header className="heading">
      <div>
        {above && <div className="heading-above">{above}</div>}
        <h1 ref={heading} tabIndex={-1}>
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
