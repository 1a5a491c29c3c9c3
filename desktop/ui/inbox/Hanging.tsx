// The attachments of a message or reply: chosen, copied at once, and removable.

import { useId, useState } from 'react';
import type { MessageFile } from '../../contract/conversations.ts';
import { t } from '../../language/texts.ts';
import { host } from '../host.ts';
import { Attached } from '../parts/Attached.tsx';
import { Icon } from '../parts/Icon.tsx';
import { complain } from '../parts/Toast.tsx';

interface Props {
  readonly files: readonly MessageFile[];
  readonly setFiles: (change: (before: readonly MessageFile[]) => readonly MessageFile[]) => void;
  /** With a limit of one, a new file replaces it. With none, files attached earlier can only be removed. */
  readonly takes: 'none' | 'one' | 'many';
}

export function Hanging({ files, setFiles, takes }: Props) {
  const field = useId();
  const [taking, setTaking] = useState(0);
  const isOne = takes === 'one';
  const take = async (chosen: readonly File[]) => {
    for (const file of chosen) {
      setTaking((many) => many + 1);
      await host
        .attachToLetter(file)
        .then((taken) => setFiles((before) => [...(isOne ? [] : before.filter(({ sha256 }) => sha256 !== taken.sha256)), taken]), complain);
      setTaking((many) => many - 1);
    }
  };
  return (
    <div className="hanging">
      <Attached files={files} drop={({ sha256 }) => setFiles((before) => before.filter((one) => one.sha256 !== sha256))} />
      {takes !== 'none' && (
        <>
          <label htmlFor={field} className="hang">
            <Icon name="clip" />
            {t(taking > 0 ? 'work.copying' : !isOne ? 'letter.attach' : files.length === 0 ? 'reply.attach' : 'reply.attachOther')}
          </label>
          <input
            id={field}
            className="sr-only"
            type="file"
            multiple={!isOne}
            onChange={(event) => {
              void take([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
        </>
      )}
    </div>
  );
}
