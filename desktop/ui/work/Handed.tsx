// A short view of a submission: its text, address or files.

import type { WorkDraft } from '../../contract/work.ts';
import { size } from '../../language/amounts.ts';
import { Icon } from '../parts/Icon.tsx';

export const Handed = ({ of: { type, text, url, files } }: { of: WorkDraft }) => {
  if (type === 'online_text_entry') return <p className="handed-text">{text}</p>;
  if (type === 'online_url')
    return (
      <p>
        <bdi className="path">{url}</bdi>
      </p>
    );
  return (
    <ul className="attachments">
      {files.map((file) => (
        <li key={file.sha256}>
          <Icon name="clip" />
          <bdi>{file.name}</bdi> <small>{size(file.size)}</small>
        </li>
      ))}
    </ul>
  );
};
