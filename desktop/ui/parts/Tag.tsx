// A short word about a thing's state.

import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

export type Tone = 'plain' | 'good' | 'busy' | 'warn' | 'bad';

export const Tag = ({ tone = 'plain', icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) => (
  <span className="tag" data-tone={tone}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
