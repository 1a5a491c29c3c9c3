// Files that are to go with a letter: chosen, copied at once, and taken off again.

import { useEffect, useId, useRef, useState } from 'react';
import { call, host } from '../host.ts';
import { Attached } from '../parts/Attached.tsx';
import { Icon } from '../parts/Icon.tsx';
import { complain } from '../parts/Said.tsx';
import type { LetterFile } from '../views/letters.ts';
import { t } from '../words/texts.ts';

interface Props {
  readonly files: readonly LetterFile[];
  readonly setFiles: (change: (before: readonly LetterFile[]) => readonly LetterFile[]) => void;
}

export function Hanging({ files, setFiles }: Props) {
  const field = useId();
  const [taking, setTaking] = useState(0);
  const left = useRef(files);
  left.current = files;
  // Whoever leaves without sending needs no copy; what is on its way keeps its own.
  useEffect(() => () => left.current.forEach(({ sha256 }) => void call('letter.detach', { sha256 }).catch(() => undefined)), []);
  const take = async (chosen: readonly File[]) => {
    for (const file of chosen) {
      setTaking((many) => many + 1);
      await host
        .attachToLetter(file)
        .then((taken) => setFiles((before) => [...before.filter(({ sha256 }) => sha256 !== taken.sha256), taken]), complain);
      setTaking((many) => many - 1);
    }
  };
  const drop = ({ sha256 }: LetterFile) => {
    setFiles((before) => before.filter((one) => one.sha256 !== sha256));
    void call('letter.detach', { sha256 }).catch(complain);
  };
  return (
    <div className="hanging">
      <Attached files={files} drop={drop} />
      <label htmlFor={field} className="hang">
        <Icon name="clip" />
        {t(taking > 0 ? 'work.copying' : 'letter.attach')}
      </label>
      <input
        id={field}
        className="sr-only"
        type="file"
        multiple
        onChange={(event) => {
          void take([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </div>
  );
}
