// The empty state of a screen: why it is empty and what to do.

import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import { Icon, type IconName } from './Icon.tsx';

export const Blank = ({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) => (
  <div className="blank">
    <span className="blank-icon">
      <Icon name={icon} />
    </span>
    <p className="blank-title">{title}</p>
    {children}
  </div>
);

export const Loading = () => (
  <div className="waiting" aria-busy="true">
    <span className="sr-only">{t('reading')}</span>
    <i />
    <i />
    <i />
  </div>
);

export const LoadFailure = ({ failure, readAgain }: { failure: Error; readAgain: () => Promise<void> }) => (
  <div className="blank" role="alert">
    <span className="blank-icon" data-tone="bad">
      <Icon name="warning" />
    </span>
    <p className="blank-title">{t('unreadable')}</p>
    <p>{failure.message}</p>
    <button type="button" onClick={() => void readAgain()}>
      {t('again')}
    </button>
  </div>
);
