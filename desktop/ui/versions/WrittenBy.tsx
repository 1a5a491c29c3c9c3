// When and by whom a version was written.

import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';

interface Props {
  readonly at: string | null;
  readonly by: string | null;
  /** The server's revision number. */
  readonly number?: number | null;
}

export const WrittenBy = ({ at, by, number = null }: Props) => (
  <p className="version-written">
    {number !== null && <span>{t('versions.number', { number })}</span>}
    {by && (
      <span>
        <bdi>{by}</bdi>
      </span>
    )}
    {at && <time dateTime={at}>{t('versions.from', { when: moment(at) })}</time>}
  </p>
);
