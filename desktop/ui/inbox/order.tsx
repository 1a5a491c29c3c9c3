// Starring and archiving a conversation.

import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain, showToast } from '../parts/Toast.tsx';

interface Of {
  readonly id: number;
  readonly starred: boolean;
  readonly archived: boolean;
}

export const Star = ({ of: { id, starred }, title }: { of: Of; title: string }) => (
  <button
    type="button"
    className="quiet icon-only star"
    data-key="s"
    aria-pressed={starred}
    aria-label={t('inbox.star', { title })}
    title={t('inbox.starShort')}
    onClick={() => void call('inbox.star', { id, starred: !starred }).catch(complain)}
  >
    <Icon name="star" />
  </button>
);

const archive = (id: number, archived: boolean): Promise<unknown> =>
  call('inbox.archive', { id, archived }).then(
    () => showToast(t(archived ? 'inbox.isArchived' : 'inbox.isBack'), archived ? () => void archive(id, false) : undefined),
    complain,
  );

export const Archive = ({ of: { id, archived }, title }: { of: Of; title: string }) => (
  <button
    type="button"
    className="quiet icon-only"
    data-key="a"
    aria-pressed={archived}
    aria-label={t('inbox.archive', { title })}
    title={t(archived ? 'inbox.takeBack' : 'inbox.archiveShort')}
    onClick={() => void archive(id, !archived)}
  >
    <Icon name="archive" />
  </button>
);
