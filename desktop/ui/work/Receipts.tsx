// The receipts of submissions: hash, attempt, the server's time and its signature.

import type { ReceiptView } from '../../contract/work.ts';
import { moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import type { IconName } from '../parts/Icon.tsx';
import { Tag, type TagTone } from '../parts/Tag.tsx';
import { Handed } from './Handed.tsx';

const standings: Readonly<Record<ReceiptView['standing'], { word: MessageKey; says: MessageKey; tone: TagTone; icon?: IconName }>> = {
  signed: { word: 'receipt.signed', says: 'receipt.signedMeans', tone: 'good', icon: 'check' },
  waiting: { word: 'receipt.waiting', says: 'receipt.waitingMeans', tone: 'busy', icon: 'hourglass' },
  unsigned: { word: 'receipt.unsigned', says: 'receipt.unsignedMeans', tone: 'plain', icon: 'check' },
  lost: { word: 'receipt.lost', says: 'receipt.lostMeans', tone: 'bad', icon: 'warning' },
  differs: { word: 'receipt.differs', says: 'receipt.differsMeans', tone: 'bad', icon: 'warning' },
};

export const Receipts = ({ of }: { of: readonly ReceiptView[] }) =>
  of.length === 0 ? null : (
    <ul className="receipts" aria-label={t('receipts')}>
      {of.map((receipt) => (
        <Receipt key={receipt.id} receipt={receipt} />
      ))}
    </ul>
  );

function Receipt({ receipt }: { receipt: ReceiptView }) {
  const { attempt, submitted_at, standing, sha256, files, token } = receipt;
  const { word, says, tone, icon } = standings[standing];
  const hashes = sha256 === null ? files.map((file) => [file.name, file.sha256] as const) : [['', sha256] as const];
  return (
    <li className="receipt">
      <p className="receipt-head">
        <b>{t('receipt.attempt', { attempt })}</b>
        <time dateTime={submitted_at}>{t('receipt.received', { when: moment(submitted_at) })}</time>
        <Tag tone={tone} icon={icon}>
          {t(word)}
        </Tag>
      </p>
      <details>
        <summary>{t('receipt.show')}</summary>
        <p>{t(says)}</p>
        <Handed of={receipt} />
        <dl>
          {hashes.map(([name, hash]) => (
            <div key={hash}>
              <dt>{name ? t('receipt.hashOf', { name }) : t('receipt.hash')}</dt>
              <dd>
                <code dir="ltr">{hash}</code>
              </dd>
            </div>
          ))}
        </dl>
        {token && (
          <label>
            <span>{t('receipt.token')}</span>
            <textarea readOnly rows={3} dir="ltr" value={token} onFocus={({ target }) => target.select()} />
          </label>
        )}
      </details>
    </li>
  );
}
