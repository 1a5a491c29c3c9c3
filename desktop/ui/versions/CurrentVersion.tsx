// The first entry of a list of versions: the text or file as it is now.

import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';

export const CurrentVersion = ({ href, children }: { href: string; children: ReactNode }) => (
  <li className="version" data-now="true">
    <h2 className="version-title">
      <a data-stop href={href}>
        {t('versions.now')}
      </a>
    </h2>
    {children}
  </li>
);
