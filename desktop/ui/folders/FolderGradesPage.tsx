// Grades from folders: the switch, and the plan of what the folders of a course would send, which is agreed on before anything is sent.

import { useState } from 'react';
import type { FolderGradePlan, GradingFoldersState } from '../../contract/grading_folders.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { resting } from '../parts/resting.ts';
import { Shown } from '../parts/Shown.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { hrefOf } from '../routes.ts';
import { AgreeOnPlan } from './AgreeOnPlan.tsx';
import { chosenIn, type PlanChoices, usualChoices } from './choices.ts';

export function FolderGradesPage({ course_id }: { course_id: number }) {
  const state = useLive('courses', 'folders.state', { course_id });
  return (
    <div className="folder-grades" data-cloth={cloth(course_id)}>
      <Heading title={t('folders.title')} above={<Up to={hrefOf({ at: 'course', course_id, tab: 'grades' })}>{t('book.title')}</Up>} />
      <Shown live={state}>
        {(found) =>
          found.can ? (
            <FolderGrades course_id={course_id} state={found} />
          ) : (
            <Blank icon="grades" title={t('folders.cannot')}>
              <p>{t('folders.cannotMeans')}</p>
            </Blank>
          )
        }
      </Shown>
    </div>
  );
}

function FolderGrades({ course_id, state: { on, folder } }: { course_id: number; state: GradingFoldersState }) {
  const [plan, setPlan] = useState<FolderGradePlan | null>(null);
  const [choices, setChoices] = useState<PlanChoices>({});
  const [isBusy, setBusy] = useState(false);
  const during = (work: Promise<unknown>) => {
    setBusy(true);
    void work.catch(complain).finally(() => setBusy(false));
  };
  const show = (next: FolderGradePlan | null) => {
    setPlan(next);
    setChoices(next ? usualChoices(next) : {});
  };
  const look = () => call('folders.plan', { course_id }).then(show);
  const send = async (agreed: FolderGradePlan) => {
    const { instead, sent, waiting, issues } = await call('folders.send', {
      course_id,
      plan: agreed.id,
      choices: chosenIn(agreed, choices),
    });
    if (instead) {
      show(instead);
      showToast(t('folders.stale'));
      return;
    }
    const said = [
      ...(sent > 0 ? [t('folders.sent', { count: sent })] : []),
      ...(waiting > 0 ? [t('folders.waiting', { count: waiting })] : []),
    ];
    if (issues[0]) complain(new Error(`${issues[0].where}: ${issues[0].why}`));
    else if (said.length > 0) showToast(said.join(' '));
    await look();
  };
  const set = (isOn: boolean) => {
    show(null);
    during(call('folders.switch', { course_id, on: isOn }));
  };
  return (
    <>
      <section className="folder-switch" aria-label={t('folders.on')}>
        <label className="check">
          <input type="checkbox" checked={on} onChange={() => set(!on)} />
          <span>{t('folders.on')}</span>
        </label>
        <p className="soft">{t(on ? 'folders.means' : 'folders.offMeans')}</p>
        {on && folder && <Place course_id={course_id} folder={folder} />}
        {on && !plan && (
          <button type="button" className="primary" {...resting(isBusy, () => during(look()))}>
            <Icon name="search" />
            {t(isBusy ? 'folders.looking' : 'folders.look')}
          </button>
        )}
      </section>
      {on && plan && (
        <AgreeOnPlan
          plan={plan}
          choices={choices}
          isBusy={isBusy}
          onChoose={(more) => setChoices((before) => ({ ...before, ...more }))}
          onSend={() => during(send(plan))}
          onLook={() => during(look())}
        />
      )}
    </>
  );
}

const Place = ({ course_id, folder }: { course_id: number; folder: string }) => (
  <div className="folder-place">
    <Icon name="folder" />
    <bdi>{folder}</bdi>
    <button type="button" className="quiet" onClick={() => void call('folders.reveal', { course_id }).catch(complain)}>
      {t('folders.show')}
    </button>
  </div>
);
