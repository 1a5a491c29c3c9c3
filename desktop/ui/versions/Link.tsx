// The link from a text to its earlier versions.

import type { Reading } from '../../contract/reading.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { hrefOf } from '../routes.ts';

export const VersionsLink = ({ reading: { reference, earlier } }: { reading: Reading }) =>
  earlier === null ? null : (
    <a className="versions-link" data-key="v" href={hrefOf({ at: 'versions', reference, key: null })}>
      <Icon name="history" />
      {earlier === 0 ? t('versions.title') : t('versions.count', { count: earlier })}
    </a>
  );
