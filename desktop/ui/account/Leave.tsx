// Signing out: choose whether to keep the files, and see what has not been sent.

import { type SubmitEvent, useState } from 'react';
import type { DeskAccount } from '../../contract/state.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { complain, showToast } from '../parts/Toast.tsx';

export function Leave({ account, where, onClose }: { account: DeskAccount; where?: string; onClose: () => void }) {
  const { id, name } = account;
  const institution = where ?? account.institution;
  const found = useLive('account', 'account.leaving', { id });
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isLeaving || !found.value) return;
    const files = new FormData(event.currentTarget).get('files') === 'remove' ? 'remove' : 'keep';
    setIsLeaving(true);
    await call('account.leave', { id, files }).then(
      ({ kept }) =>
        showToast([t('account.left', { name, institution }), kept > 0 ? t('account.kept', { count: kept }) : ''].join(' ').trim()),
      complain,
    );
    onClose();
  };
  const { files = 0, unsent = 0, folder = null } = found.value ?? {};
  return (
    <Dialog title={t('account.leaveAsk')} onClose={onClose}>
      <form className="form" onSubmit={(event) => void leave(event)}>
        <p>{t('account.leaveWho', { name, institution })}</p>
        {unsent > 0 && (
          <p className="form-failure" role="alert">
            <Icon name="warning" />
            {t('account.leaveUnsent', { count: unsent })}
          </p>
        )}
        <fieldset className="ways-out">
          <legend>{t('account.leaveFiles', { count: files })}</legend>
          <label>
            <input type="radio" name="files" value="keep" defaultChecked />
            <span>
              {t('account.leaveKeep')}
              {folder && (
                <small>
                  <bdi className="path">{folder}</bdi>
                </small>
              )}
            </span>
          </label>
          <label>
            <input type="radio" name="files" value="remove" />
            <span>
              {t('account.leaveRemove')}
              <small>{t('account.leaveRemoveMeans')}</small>
            </span>
          </label>
        </fieldset>
        <footer>
          <span className="spring" />
          <button type="button" data-first className="quiet" onClick={onClose}>
            {t('account.stay')}
          </button>
          <button type="submit" className="primary" aria-disabled={isLeaving || !found.value || undefined}>
            {t(unsent > 0 ? 'account.leaveAnyway' : 'account.leave')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
