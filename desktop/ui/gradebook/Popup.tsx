// A layer beside an element, above everything that would cut it off.

import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';

interface Given {
  readonly beside: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
  /** A press elsewhere or Escape closes it. */
  readonly onClose?: () => void;
  readonly className?: string;
}

const gap = 4;

export function Popup({ beside, children, onClose, className = '' }: Given) {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = layer.current;
    const anchor = beside.current;
    if (!element || !anchor) return;
    element.showPopover();
    const place = () => {
      const at = anchor.getBoundingClientRect();
      const { offsetWidth, offsetHeight } = element;
      const isRtl = document.documentElement.dir === 'rtl';
      const start = isRtl ? at.right - offsetWidth : at.left;
      const below = at.bottom + gap;
      const top = below + offsetHeight > window.innerHeight ? Math.max(gap, at.top - gap - offsetHeight) : below;
      element.style.left = `${Math.max(gap, Math.min(start, window.innerWidth - offsetWidth - gap))}px`;
      element.style.top = `${top}px`;
    };
    place();
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  }, [beside]);
  return (
    <div
      ref={layer}
      popover={onClose ? 'auto' : 'manual'}
      className={`popup ${className}`}
      onToggle={({ newState }) => newState === 'closed' && onClose?.()}
    >
      {children}
    </div>
  );
}
