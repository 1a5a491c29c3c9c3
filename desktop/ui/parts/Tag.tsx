// A short state label.

import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

export type TagTone = 'plain' | 'good' | 'busy' | 'warn' | 'bad';

interface Props {
  readonly tone?: TagTone;
  readonly icon?: IconName;
  readonly title?: string;
  readonly children: ReactNode;
}

export const Tag = ({ tone = 'plain', icon, title, children }: Props) => (
  <span className="tag" data-tone={tone} title={title}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
