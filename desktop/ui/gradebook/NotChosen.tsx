// A course that is not chosen for grading: what choosing it means.

import { useState } from 'react';
import type { GradebookView } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { resting } from '../parts/resting.ts';
import { complain, showToast } from '../parts/Toast.tsx';

export function NotChosen({ view }: { view: GradebookView }) {
  const [isBusy, setBusy] = useState(false);
  if (view.choice === 'not possible')
    return (
      <Blank icon="grades" title={t('book.notPossible')}>
        <p>{t('book.notPossibleMeans')}</p>
      </Blank>
    );
  const choose = () => {
    setBusy(true);
    call('gradebook.choose', { course_id: view.course_id, chosen: true })
      .catch(complain)
      .finally(() => setBusy(false));
  };
  return (
    <Blank icon="grades" title={t('book.notChosen')}>
      <p>{t('book.notChosenMeans')}</p>
      <ul className="book-promises">
        <li>{t('book.promiseOffline')}</li>
        <li>{t('book.promiseSent')}</li>
        <li>{t('book.promiseRemove')}</li>
      </ul>
      <button type="button" className="primary" {...resting(isBusy, choose)}>
        <Icon name="down" />
        {t('book.choose')}
      </button>
    </Blank>
  );
}

export function Unchoose({ course_id }: { course_id: number }) {
  const set = (chosen: boolean) => call('gradebook.choose', { course_id, chosen });
  const remove = () => set(false).then(() => showToast(t('book.removed'), () => void set(true).catch(complain)), complain);
  return (
    <button type="button" className="quiet" onClick={() => void remove()}>
      {t('book.remove')}
    </button>
  );
}
