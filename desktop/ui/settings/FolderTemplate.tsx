// The template for course folders: presets or a custom one, with a preview for each course.

import { useEffect, useState } from 'react';
import type { TemplateView } from '../../contract/template.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain, showToast } from '../parts/Toast.tsx';

const usual = ['{institution}/{course}', '{course}', '{term}/{course}', '{term}/{course_code} {course}', '{institution}/{term}/{course}'];

export function FolderTemplate() {
  const now = useLive('courses', 'template.look');
  const [wanted, setWish] = useState<string | null>(null);
  const [found, setFound] = useState<TemplateView | null>(null);
  const template = wanted ?? now.value?.template ?? '';
  useEffect(() => {
    let isOld = false;
    if (wanted === null) setFound(null);
    else void call('template.look', { template: wanted }).then((view) => !isOld && setFound(view), complain);
    return () => {
      isOld = true;
    };
  }, [wanted]);
  if (!now.value) return null;
  const isChanged = wanted !== null && wanted.trim() !== now.value.template;
  const moving = found?.courses.filter(({ from, to }) => from !== '' && from !== to) ?? [];
  const choose = () =>
    void call('template.choose', { template }).then(() => {
      setWish(null);
      showToast(t('template.chosen'));
    }, complain);
  return (
    <fieldset className="notices template">
      <legend>{t('template.title')}</legend>
      <p className="soft">{t('template.means')}</p>
      <label className="setting">
        <span>{t('template.folders')}</span>
        <input
          list="templates"
          spellCheck={false}
          dir="ltr"
          value={template}
          aria-describedby="template-words"
          aria-invalid={found?.wrong ? true : undefined}
          onChange={({ target }) => setWish(target.value)}
        />
        <datalist id="templates">
          {usual.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      </label>
      <p id="template-words" className="template-words">
        {t('template.words')} <bdi dir="ltr">{'{institution} {term} {course_code} {course}'}</bdi>
      </p>
      <div role="status">
        {found?.wrong && <p className="template-wrong">{found.wrong}</p>}
        {isChanged && moving.length > 0 && (
          <>
            <p>{t('template.moves', { count: moving.length })}</p>
            <ul className="template-moves">
              {moving.slice(0, 8).map(({ from, to }) => (
                <li key={from}>
                  <bdi>{from}</bdi> <Icon name="forward" /> <bdi>{to}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {isChanged && (
        <p className="template-choice">
          <button type="button" className="primary" disabled={found?.wrong !== null} onClick={choose}>
            {t('template.choose')}
          </button>
          <button type="button" className="quiet" onClick={() => setWish(null)}>
            {t('choose.back')}
          </button>
        </p>
      )}
    </fieldset>
  );
}
