// One file: its name and size, where it stands, and what can be done with it.

import { memo } from 'react';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain, say } from '../parts/Said.tsx';
import { Tag } from '../parts/Tag.tsx';
import type { FileView } from '../views/files.ts';
import { size } from '../words/amounts.ts';
import { moment } from '../words/dates.ts';
import { t } from '../words/texts.ts';
import { openFile } from './open.ts';
import { meaning, saysOf } from './states.ts';

async function reveal(file: FileView) {
  const found = await call('file.open', { id: file.id }).catch(() => null);
  try {
    await call('file.reveal', { id: file.id });
    say(found ? t('files.shownAt', { path: found.path }) : t('files.shown'));
  } catch (failure) {
    if (found) say(t('files.isAt', { path: found.path }));
    else complain(failure);
  }
}

async function want({ id, name }: FileView, wanted: boolean) {
  const set = (value: boolean) => call('file.want', { id, wanted: value });
  try {
    await set(wanted);
    say(t(wanted ? 'files.comesBack' : 'files.leaves', { name }), () => void set(!wanted).catch(complain));
  } catch (failure) {
    complain(failure);
  }
}

const extension = (name: string) => /\.([^.]{1,4})$/.exec(name)?.[1]?.toLowerCase() ?? '·';

/** Drawn again only when something about the file has changed: lists may be long. */
export const FileRow = memo(Row, (before, now) => JSON.stringify(before.file) === JSON.stringify(now.file));

function Row({ file }: { file: FileView }) {
  const { word, tone, icon, isHere } = meaning[file.state];
  const reason = saysOf(file, new Date());
  return (
    <li className="file" data-state={file.state}>
      <span className="file-kind" aria-hidden="true">
        {extension(file.name)}
      </span>
      <div className="file-name">
        {isHere ? (
          <button type="button" data-stop className="as-link" onClick={() => void openFile(file.id)}>
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
      <Tag tone={tone} icon={icon}>
        {t(word)}
      </Tag>
      <div className="file-actions">
        {isHere && (
          <button
            type="button"
            className="quiet icon-only"
            aria-label={t('files.reveal', { name: file.name })}
            title={t('files.revealShort')}
            onClick={() => void reveal(file)}
          >
            <Icon name="folder" />
          </button>
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
