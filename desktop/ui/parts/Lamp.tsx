// The sync lamp: lit when in sync, dim when offline, red when something needs attention.

import { useId } from 'react';
import type { Light } from '../../language/sync_status.ts';

export function Lamp({ light }: { light: Light }) {
  const fade = useId();
  return (
    <svg className="lamp" data-light={light} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <linearGradient id={fade} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#f7d894" />
        <stop offset="1" stopColor="#f2c76b" stopOpacity="0.05" />
      </linearGradient>
      <path className="lamp-glow" fill={`url(#${fade})`} d="M6.5 13.5h19l4.5 12.5H2z" />
      <path className="lamp-stand" d="M16 6V4.6M16 14v11.5M11.5 27h9" />
      <path className="lamp-shade" d="M6 13.8C6 9 10.2 6 16 6s10 3 10 7.8c0 .4-.3.7-.7.7H6.7a.7.7 0 0 1-.7-.7z" />
    </svg>
  );
}
