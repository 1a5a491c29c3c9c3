// For teachers: two-way sync of a course, with a preview that the user confirms before publishing.

import { useState } from 'react';
import type { PublishChange, PublishPlan } from '../../contract/publish.ts';
import { size } from '../../language/amounts.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { resting } from '../parts/resting.ts';
import { complain, showToast } from '../parts/Toast.tsx';

const titles: Readonly<Record<PublishChange['do'], MessageKey>> = {
  add: 'publish.add',
  replace: 'publish.replace',
  rename: 'publish.rename',
  delete: 'publish.delete',
  refuse: 'publish.refuse',
};
const order = ['add', 'replace', 'rename', 'delete', 'refuse'] as const;

export function Publish({ course_id }: { course_id: number }) {
  const state = useLive('files', 'publish.state', { course_id });
  const [plan, setPlan] = useState<PublishPlan | null>(null);
  const [busy, setBusy] = useState(false);
  if (!state.value?.can) return null;
  const { on } = state.value;
  const during = (work: Promise<unknown>) => {
    setBusy(true);
    void work.catch(complain).finally(() => setBusy(false));
  };
  const look = () => during(call('publish.plan', { course_id }).then(setPlan));
  const publish = (id: string) =>
    during(
      call('publish.do', { course_id, plan: id }).then(({ instead, sent, issues }) => {
        setPlan(instead);
        if (instead) showToast(t('publish.stale'));
        else if (issues[0]) complain(new Error(`${issues[0].where}: ${issues[0].why}`));
        else showToast(t('publish.done', { count: sent }));
      }),
    );
  return (
    <section className="publish" aria-labelledby="publish">
      <header>
        <h2 id="publish">{t('publish.title')}</h2>
        <label className="check">
          <input
            type="checkbox"
            checked={on}
            onChange={() => {
              setPlan(null);
              void call('publish.switch', { course_id, on: !on }).catch(complain);
            }}
          />
          <span>{t('publish.on')}</span>
        </label>
      </header>
      <p className="soft">{t(on ? 'publish.means' : 'publish.offMeans')}</p>
      {on && !plan && (
        <button type="button" {...resting(busy, look)}>
          {t(busy ? 'publish.looking' : 'publish.look')}
        </button>
      )}
      {on && plan && <Plan plan={plan} busy={busy} onPublish={() => publish(plan.id)} onLook={look} onClose={() => setPlan(null)} />}
    </section>
  );
}

interface Planned {
  readonly plan: PublishPlan;
  readonly busy: boolean;
  readonly onPublish: () => void;
  readonly onLook: () => void;
  readonly onClose: () => void;
}

function Plan({ plan: { changes }, busy, onPublish, onLook, onClose }: Planned) {
  const many = changes.filter((change) => change.do !== 'refuse').length;
  return (
    <div className="publish-plan" role="status" data-rest tabIndex={-1}>
      {changes.length === 0 && <p>{t('publish.nothing')}</p>}
      {order.map((verb) => {
        const of = changes.filter((change) => change.do === verb);
        return of.length === 0 ? null : (
          <div key={verb} data-verb={verb}>
            <h3>{t(titles[verb], { count: of.length })}</h3>
            <ul>
              {of.map((change) => (
                <li key={change.path}>
                  <Line change={change} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <footer>
        {many > 0 && (
          <button type="button" className="primary" {...resting(busy, onPublish)}>
            {t('publish.do', { count: many })}
          </button>
        )}
        <button type="button" {...resting(busy, onLook)}>
          {t('publish.again')}
        </button>
        <button type="button" className="quiet" onClick={onClose}>
          {t('publish.leave')}
        </button>
      </footer>
    </div>
  );
}

const Line = ({ change: { path, from, size: bytes, modules, why } }: { change: PublishChange }) => (
  <>
    {from && (
      <>
        <bdi>{from}</bdi> <Icon name="forward" /> <span className="sr-only">{'→'} </span>
      </>
    )}
    <bdi>{path}</bdi> {bytes !== null && <small>{size(bytes)} </small>}
    {modules.length > 0 && <small>{t('publish.modules', { modules: modules.join(', ') })}</small>}
    {why && <small>{t(why === 'name' ? 'publish.name' : 'publish.twin')}</small>}
  </>
);
