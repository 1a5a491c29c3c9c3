// The attachments of a text: opened from this computer if downloaded, else from the server.

import type { Attachment } from '../../contract/reading.ts';
import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { addressOfFile } from '../routes.ts';

export const Attachments = ({ of }: { of: readonly Attachment[] }) =>
  of.length === 0 ? null : (
    <ul className="attachments" aria-label={t('attachments')}>
      {of.map((one) => (
        <li key={one.id}>
          <Icon name="clip" />
          <AttachmentLink of={one} />
          <small>
            {one.size !== null && size(one.size)}
            {!one.here && !one.waits && ` ${t(one.url ? 'attachments.server' : 'attachments.gone')}`}
          </small>
        </li>
      ))}
    </ul>
  );

function AttachmentLink({ of: { id, name, here, url } }: { of: Attachment }) {
  if (here)
    return (
      <a href={addressOfFile(id)}>
        <bdi>{name}</bdi>
      </a>
    );
  if (!url) return <bdi>{name}</bdi>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      <bdi>{name}</bdi>
    </a>
  );
}
