// “Verify my copy”: reads every file, compares it with the server's hashes, and downloads damaged ones again.

import { useState } from 'react';
import type { VerdictView } from '../../contract/verdict.ts';
import { moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { resting } from '../parts/resting.ts';
import { complain, showToast } from '../parts/Toast.tsx';

const words: Readonly<Record<VerdictView['issues'][number]['what'], MessageKey>> = {
  missing: 'verify.missing',
  damaged: 'verify.damaged',
  outdated: 'verify.outdated',
};

export function Verify() {
  const [verdict, setVerdict] = useState<VerdictView | null>(null);
  const [busy, setBusy] = useState<'reading' | 'repairing' | null>(null);
  const read = () => {
    setBusy('reading');
    void call('verify.run')
      .then(setVerdict, complain)
      .finally(() => setBusy(null));
  };
  const repair = (keys: readonly string[]) => {
    setBusy('repairing');
    void call('verify.repair', { keys })
      .then(() => call('verify.run'))
      .then((found) => {
        setVerdict(found);
        if (found.issues.length === 0) showToast(t('verify.repaired', { count: keys.length }));
      }, complain)
      .finally(() => setBusy(null));
  };
  return (
    <section aria-labelledby="verify" className="verify">
      <header>
        <h2 id="verify">{t('verify.title')}</h2>
        <button type="button" {...resting(busy !== null, read)}>
          <Icon name="check" />
          {t(verdict ? 'verify.again' : 'verify.run')}
        </button>
      </header>
      <p className="soft">{t('verify.means')}</p>
      {busy && <ProgressBar share={null} label={t(busy === 'reading' ? 'verify.reading' : 'verify.repairing')} />}
      <div role="status">{verdict && !busy && <Verdict verdict={verdict} onRepair={repair} />}</div>
    </section>
  );
}

function Verdict({ verdict, onRepair }: { verdict: VerdictView; onRepair: (keys: readonly string[]) => void }) {
  const { checked, edited, issues, courses, as_of, is_asked, has_hashes } = verdict;
  const ill = issues.filter(({ what }) => what !== 'outdated');
  return (
    <>
      <p className="verify-sum" data-good={issues.length === 0}>
        {issues.length === 0 ? t('verify.good', { count: checked }) : t('verify.bad', { bad: issues.length, count: checked })}{' '}
        {edited > 0 && t('verify.edited', { count: edited })}{' '}
        {!is_asked && t('verify.notAsked', { when: as_of ? moment(as_of) : t('never') })} {!has_hashes && t('verify.noHashes')}
      </p>
      {courses.length > 0 && (
        <ul className="verify-courses">
          {courses.map((course) => (
            <li key={course.name} className="verify-course" data-good={course.is_identical}>
              <Icon name={course.is_identical ? 'check' : 'warning'} />
              <bdi>{course.name}</bdi>
              <small>
                {course.is_identical
                  ? course.here === course.files
                    ? t('verify.identical', { when: moment(course.as_of) })
                    : t('verify.identicalPart', { when: moment(course.as_of), here: course.here, files: course.files })
                  : t('verify.different', { count: course.files })}
              </small>
            </li>
          ))}
        </ul>
      )}
      {issues.length > 0 && (
        <>
          <ul className="verify-issues">
            {issues.slice(0, 50).map(({ what, where }) => (
              <li key={where}>
                <b>{t(words[what])}</b> <bdi>{where}</bdi>
              </li>
            ))}
          </ul>
          {ill.length > 0 && (
            <p className="held-choice">
              <button type="button" className="primary" onClick={() => onRepair(ill.map(({ key }) => key))}>
                {t('verify.repair', { count: ill.length })}
              </button>
              <small>{t('verify.repairMeans')}</small>
            </p>
          )}
        </>
      )}
    </>
  );
}
