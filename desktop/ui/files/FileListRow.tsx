// One file: name, size, state and actions.

import { memo } from 'react';
import { viewerOf } from '../../contract/file_types.ts';
import type { FileView } from '../../contract/files.ts';
import { size } from '../../language/amounts.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { Tag } from '../parts/Tag.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { addressOfFile, hrefOf } from '../routes.ts';
import { openElsewhere, revealFile } from './open.ts';
import { meaning, saysOf } from './states.ts';

async function want({ id, name }: FileView, wanted: boolean) {
  const set = (value: boolean) => call('file.want', { id, wanted: value });
  try {
    await set(wanted);
    showToast(t(wanted ? 'files.comesBack' : 'files.leaves', { name }), () => void set(!wanted).catch(complain));
  } catch (failure) {
    complain(failure);
  }
}

const extension = (name: string) => /\.([^.]{1,4})$/.exec(name)?.[1]?.toLowerCase() ?? '·';

/** Memoised, because lists may be long. */
export const FileListRow = memo(Row, (before, now) => JSON.stringify(before.file) === JSON.stringify(now.file));

function Row({ file, course_id }: { file: FileView; course_id: number }) {
  const { word, tone, icon, isHere } = meaning[file.state];
  const reason = saysOf(file, new Date());
  return (
    <li className="file" data-state={file.state}>
      <span className="file-kind" aria-hidden="true">
        {extension(file.name)}
      </span>
      <div className="file-name">
        {isHere && viewerOf(file.name) ? (
          <a data-stop href={addressOfFile(file.id, course_id)}>
            <bdi>{file.name}</bdi>
          </a>
        ) : isHere ? (
          <button type="button" data-stop className="as-link" onClick={() => void openElsewhere(file.id)}>
            <bdi>{file.name}</bdi>
          </button>
        ) : (
          <span>
            <bdi>{file.name}</bdi>
          </span>
        )}
        <small>{file.updated_at ? t('files.changed', { size: size(file.size), when: moment(file.updated_at) }) : size(file.size)}</small>
        {reason && <small className="file-reason">{reason}</small>}
      </div>
      <Tag tone={tone} icon={icon} title={file.state === 'synced' ? t(word) : undefined}>
        {t(word)}
      </Tag>
      <div className="file-actions">
        {isHere && (
          <button
            type="button"
            className="quiet icon-only"
            aria-label={t('files.reveal', { name: file.name })}
            title={t('files.revealShort')}
            onClick={() => void revealFile(file.id)}
          >
            <Icon name="folder" />
          </button>
        )}
        {file.has_versions && (
          <a
            className="button quiet icon-only"
            href={hrefOf({ at: 'versions', reference: { kind: 'file', course_id, id: file.id }, key: null })}
            aria-label={t('fileVersions.of', { name: file.name })}
            title={t('versions.title')}
          >
            <Icon name="history" />
          </a>
        )}
        {file.state === 'not wanted' ? (
          <button
            type="button"
            className="quiet"
            aria-label={t('files.bringBackOf', { name: file.name })}
            onClick={() => void want(file, true)}
          >
            {t('files.bringBack')}
          </button>
        ) : (
          file.state !== 'removed by teacher' && (
            <button
              type="button"
              className="quiet"
              aria-label={t('files.unwantOf', { name: file.name })}
              onClick={() => void want(file, false)}
            >
              {t('files.unwant')}
            </button>
          )
        )}
      </div>
    </li>
  );
}
