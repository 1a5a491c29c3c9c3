// The changes from one version to another, in one line.

import type { VersionCard } from '../../contract/versions.ts';
import { t } from '../../language/texts.ts';

export function Became({ of, said }: { of: NonNullable<VersionCard['became']>; said: 'versions.then' | 'versions.since' }) {
  const { title, words } = of;
  const isSame = words !== null && words.inserted === 0 && words.deleted === 0;
  return (
    <p className="version-became">
      <span>{t(said)}</span>
      {title !== null && <span>{t('versions.renamed', { title })}</span>}
      {words === null && <span>{t('versions.another')}</span>}
      {words !== null && words.inserted > 0 && <ins>{t('versions.inserted', { count: words.inserted })}</ins>}
      {words !== null && words.deleted > 0 && <del>{t('versions.deleted', { count: words.deleted })}</del>}
      {isSame && <span>{t(title === null ? 'versions.sameWords' : 'versions.sameText')}</span>}
    </p>
  );
}
