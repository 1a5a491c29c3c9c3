// When a text was written, and by whom.

import { moment } from '../words/dates.ts';
import { t } from '../words/texts.ts';

interface Props {
  readonly at: string | null;
  readonly by: string | null;
  /** The server's own count. */
  readonly number?: number | null;
}

export const Written = ({ at, by, number = null }: Props) => (
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
