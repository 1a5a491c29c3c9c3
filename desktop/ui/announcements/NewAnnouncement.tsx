// A new announcement of a course. It waits in the outbox until the next sync.

import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { showToast } from '../parts/Toast.tsx';
import { Discard } from '../writing/Discard.tsx';
import { useWriting } from '../writing/useWriting.ts';

export function Announce({ course_id }: { course_id: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <p className="announce">
      <button type="button" data-key="n" className="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {t('announce.new')}
      </button>
      {isOpen && <NewAnnouncement course_id={course_id} onClose={() => setOpen(false)} />}
    </p>
  );
}

export function NewAnnouncement({ course_id, onClose }: { course_id: number; onClose: () => void }) {
  const place = { kind: 'announcement', course_id } as const;
  const { words, change, settle, discard, isBegun } = useWriting(place, { text: '', title: '' });
  const [failure, setFailure] = useState<string | null>(null);
  const { text, title = '' } = words;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await settle();
      await call('announcement.post', { course_id, title, text, finished: place });
      showToast(t('announce.isWaiting'));
      onClose();
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <Dialog title={t('announce.new')} onClose={onClose}>
      <form className="form" onSubmit={(event) => void send(event)}>
        {failure && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <label>
          <span>{t('announce.title')}</span>
          <input
            data-first
            required
            autoComplete="off"
            maxLength={255}
            value={title}
            onChange={({ target }) => change({ title: target.value })}
          />
        </label>
        <label>
          <span>{t('announce.text')}</span>
          <textarea required rows={10} value={text} onChange={({ target }) => change({ text: target.value })} />
        </label>
        <p className="soft">
          <small>{t('announce.means')}</small>
        </p>
        <footer>
          {isBegun && <Discard discard={discard} onClose={onClose} />}
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t(isBegun ? 'writing.later' : 'cancel')}
          </button>
          <button type="submit" className="primary">
            {t('announce.send')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
