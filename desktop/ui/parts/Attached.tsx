// Attached files, each removable.

import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { Icon } from './Icon.tsx';

interface AttachedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export function Attached<File extends AttachedFile>({ files, drop }: { files: readonly File[]; drop: (file: File) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className="attachments" aria-label={t('attachments')}>
      {files.map((file) => (
        <li key={file.sha256}>
          <Icon name="clip" />
          <bdi>{file.name}</bdi> <small>{size(file.size)}</small>
          <button
            type="button"
            className="quiet icon-only"
            aria-label={t('work.remove', { name: file.name })}
            title={t('work.remove', { name: file.name })}
            onClick={() => drop(file)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
