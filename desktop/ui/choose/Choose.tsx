// Which courses, folders, kinds and sizes are kept on this computer. Changes are previewed before they are applied.

import { useEffect, useState } from 'react';
import type { ChoicesDraft, ChoicesView } from '../../contract/choices.ts';
import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { Shown } from '../parts/Shown.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { hrefOf } from '../routes.ts';
import { ChoiceTree } from './ChoiceTree.tsx';
import { ConfirmChange } from './ConfirmChange.tsx';
import { Kinds, Largest } from './Kinds.tsx';

export function Choose() {
  const kept = useLive('files', 'choices.look');
  const [draft, setDraft] = useState<ChoicesView | null>(null);
  // The draft is previewed again when a sync changes the data.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview is a result, not an input
  useEffect(() => {
    if (draft && kept.value) void call('choices.look', { draft: draftOf(draft) }).then(setDraft, complain);
  }, [kept.value]);
  const look = (given: ChoicesDraft, mark?: { key: string; wanted: boolean }) =>
    void call('choices.look', { draft: given, ...(mark && { mark }) }).then(setDraft, complain);
  const keep = (given: ChoicesDraft) =>
    call('choices.choose', given).then(() => {
      setDraft(null);
      showToast(t('choose.done'));
    }, complain);
  return (
    <>
      <Heading title={t('choose.title')} above={<a href={hrefOf({ at: 'files' })}>{t('tab.files')}</a>} />
      <Shown live={kept}>
        {(now) => {
          const view = draft ?? now;
          const { choices } = view;
          if (now.nodes.length === 0) return <Blank icon="files" title={t('choose.none')} />;
          const change = (more: Partial<ChoicesView['choices']>) => look({ choices: { ...choices, ...more }, again: view.again });
          const isChanged = draft !== null && JSON.stringify(draftOf(draft)) !== JSON.stringify(draftOf(now));
          return (
            <div className="choose">
              <div className="choose-sum">
                <p>{t('choose.sum', { kept: size(view.kept.bytes), all: size(view.all.bytes) })}</p>
                <ProgressBar share={view.all.bytes > 0 ? view.kept.bytes / view.all.bytes : 1} label={t('choose.title')} />
                <small>{t('choose.lead')}</small>
              </div>
              <section aria-labelledby="choose-places">
                <h2 id="choose-places">{t('choose.places')}</h2>
                <ChoiceTree nodes={view.nodes} onMark={(key, wanted) => look(draftOf(view), { key, wanted })} />
              </section>
              <section aria-labelledby="choose-kinds">
                <h2 id="choose-kinds">{t('choose.kinds')}</h2>
                <Kinds groups={view.groups} without={choices.without} onChange={(without) => change({ without })} />
                <Largest largest={choices.largest} onChange={(largest) => change({ largest })} />
              </section>
              {isChanged && <ConfirmChange view={view} onKeep={() => void keep(draftOf(view))} onBack={() => setDraft(null)} />}
            </div>
          );
        }}
      </Shown>
    </>
  );
}

const draftOf = ({ choices, again }: ChoicesView): ChoicesDraft => ({ choices, again });
