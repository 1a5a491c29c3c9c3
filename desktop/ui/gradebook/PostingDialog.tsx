// Shows the grades of an assignment to its students, or hides them.

import { type FormEvent, useState } from 'react';
import type { GradebookColumn } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { resting } from '../parts/resting.ts';
import { showToast } from '../parts/Toast.tsx';

interface Given {
  readonly course_id: number;
  readonly column: GradebookColumn;
  readonly shown: boolean;
  readonly onClose: () => void;
}

export function PostingDialog({ course_id, column, shown, onClose }: Given) {
  const [graded_only, setGradedOnly] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { assignment_id, title, is_anonymous } = column;
  const send = async () => {
    setBusy(true);
    try {
      await call('gradebook.post', { course_id, assignment_id, shown, ...(shown && { graded_only }) });
      showToast(t(shown ? 'posting.isShown' : 'posting.isHidden'));
      onClose();
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t(shown ? 'posting.show' : 'posting.hide')} onClose={onClose}>
      <form className="form" onSubmit={(event: FormEvent) => event.preventDefault()}>
        {failure && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <p>
          <bdi>{title}</bdi>
        </p>
        {shown && !is_anonymous && (
          <fieldset className="message-people">
            <legend>{t('posting.to')}</legend>
            <label className="check">
              <input type="radio" name="to" checked={!graded_only} onChange={() => setGradedOnly(false)} />
              <span>{t('posting.toAll')}</span>
            </label>
            <label className="check">
              <input type="radio" name="to" checked={graded_only} onChange={() => setGradedOnly(true)} />
              <span>{t('posting.toGraded')}</span>
            </label>
          </fieldset>
        )}
        <p className="soft">
          <small>{t(shown ? 'posting.showMeans' : 'posting.hideMeans')}</small>
        </p>
        <footer>
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" data-first className="primary" {...resting(isBusy, () => void send())}>
            {t(shown ? 'posting.doShow' : 'posting.doHide')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
