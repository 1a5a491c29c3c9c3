// The submission form: the draft is saved as the user types, and submitted on request.

import { type DragEvent, useEffect, useId, useState } from 'react';
import type { WorkType, WorkView } from '../../contract/work.ts';
import { howLongAgo } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { call, host } from '../host.ts';
import { Attached } from '../parts/Attached.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { useKeeping } from '../writing/keeping.ts';

const kinds: Readonly<Record<WorkType, MessageKey>> = {
  online_text_entry: 'work.text',
  online_url: 'work.url',
  online_upload: 'work.files',
};

/** The assignment. */
export interface At {
  readonly course_id: number;
  readonly id: number;
}

interface Writing {
  readonly type: WorkType;
  readonly text: string;
  readonly url: string;
}

export function WorkForm({ at, work, title }: { at: At; work: WorkView; title: string }) {
  const { types, draft, hold } = work;
  const { writing, change, keep } = useWriting(at, draft);
  const [asking, setAsking] = useState(false);
  const { type, text, url } = writing;
  const isEmpty = type === 'online_text_entry' ? text.trim() === '' : type === 'online_url' ? url.trim() === '' : draft.files.length === 0;
  const handIn = async () => {
    setAsking(false);
    try {
      await keep();
      await call('work.hand_in', at);
      showToast(t('work.isWaiting'));
    } catch (failure) {
      complain(failure);
    }
  };
  return (
    <form
      className="work-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) setAsking(true);
      }}
    >
      {types.length > 1 && (
        <fieldset className="choices">
          <legend className="sr-only">{t('work.how')}</legend>
          {types.map((kind) => (
            <label key={kind}>
              <input type="radio" name="kind" checked={type === kind} onChange={() => change({ type: kind })} />
              <span>{t(kinds[kind])}</span>
            </label>
          ))}
        </fieldset>
      )}
      {type === 'online_text_entry' && (
        <textarea
          aria-label={t('work.text')}
          rows={8}
          placeholder={t('work.writeHere')}
          value={text}
          onChange={(event) => change({ text: event.target.value })}
          onBlur={() => void keep().catch(complain)}
        />
      )}
      {type === 'online_url' && (
        <input
          type="url"
          inputMode="url"
          aria-label={t('work.url')}
          placeholder="https://"
          value={url}
          onChange={(event) => change({ url: event.target.value })}
          onBlur={() => void keep().catch(complain)}
        />
      )}
      {type === 'online_upload' && <Files at={at} work={work} />}
      <p className="work-acts">
        <button type="submit" className="primary" disabled={isEmpty || hold !== null}>
          {t('work.handIn')}
        </button>
        <small role="status">{draft.changed_at ? t('work.kept', { when: howLongAgo(draft.changed_at) }) : t('work.keptAsYouWrite')}</small>
      </p>
      {asking && (
        <Dialog title={t('work.handInAsk')} onClose={() => setAsking(false)}>
          <div className="form">
            <p>{t('work.handInMeans', { title, attempt: work.attempts_made + 1 })}</p>
            {work.attempts_allowed !== null && (
              <p>{t('work.attemptsLeft', { count: Math.max(0, work.attempts_allowed - work.attempts_made - 1) })}</p>
            )}
            <footer>
              <span className="spring" />
              <button type="button" className="quiet" onClick={() => setAsking(false)}>
                {t('cancel')}
              </button>
              <button type="button" data-first className="primary" onClick={() => void handIn()}>
                {t('work.handIn')}
              </button>
            </footer>
          </div>
        </Dialog>
      )}
    </form>
  );
}

/** Input is shown at once. It is saved at the first stroke and repeatedly while typing, when the field loses the focus, and when the page closes. */
function useWriting(at: At, draft: WorkView['draft']) {
  const [writing, setWriting] = useState<Writing>({ type: draft.type, text: draft.text, url: draft.url });
  const { course_id, id } = at;
  const { keep, settle, isUnkept } = useKeeping<Writing>((given) => call('work.write', { course_id, id, ...given }), complain);
  const change = (part: Partial<Writing>) => {
    const next = { ...writing, ...part };
    setWriting(next);
    keep(next);
  };
  // The stored draft may change after the first draw or in another window; an attached file decides the submission type.
  const { type, text, url } = draft;
  useEffect(() => {
    if (!isUnkept()) setWriting({ type, text, url });
  }, [type, text, url, isUnkept]);
  return { writing, change, keep: settle };
}

function Files({ at, work: { draft, allowed_extensions } }: { at: At; work: WorkView }) {
  const field = useId();
  const [over, setOver] = useState(false);
  const [taking, setTaking] = useState(0);
  const take = async (chosen: Iterable<File>) => {
    for (const file of [...chosen]) {
      setTaking((many) => many + 1);
      await host.attach(at, file).catch(complain);
      setTaking((many) => many - 1);
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files);
  };
  return (
    <fieldset
      className="work-files"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      aria-label={t('work.files')}
    >
      <Attached files={draft.files} drop={({ sha256 }) => void call('work.detach', { ...at, sha256 }).catch(complain)} />
      <label htmlFor={field} className="work-choose">
        <Icon name="plus" />
        {t(taking > 0 ? 'work.copying' : 'work.choose')}
      </label>
      <input
        id={field}
        className="sr-only"
        type="file"
        multiple
        accept={allowed_extensions.map((extension) => `.${extension}`).join(',') || undefined}
        onChange={(event) => {
          void take(event.target.files ?? []);
          event.target.value = '';
        }}
      />
      <small>
        {allowed_extensions.length > 0 ? t('work.onlyKinds', { kinds: allowed_extensions.join(', ') }) : t('work.filesAreCopied')}
      </small>
    </fieldset>
  );
}
