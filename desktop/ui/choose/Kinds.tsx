// The kinds of files to keep, with their total sizes, and the size limit.

import type { ChoicesView, FileGroup } from '../../contract/choices.ts';
import { size } from '../../language/amounts.ts';
import { type MessageKey, t } from '../../language/texts.ts';

const words: Readonly<Record<FileGroup, MessageKey>> = {
  documents: 'choose.documents',
  slides: 'choose.slides',
  tables: 'choose.tables',
  images: 'choose.images',
  sound: 'choose.sound',
  video: 'choose.video',
  archives: 'choose.archives',
  code: 'choose.code',
  other: 'choose.other',
};

interface Choosing {
  readonly groups: ChoicesView['groups'];
  readonly without: readonly FileGroup[];
  readonly onChange: (without: readonly FileGroup[]) => void;
}

export const Kinds = ({ groups, without, onChange }: Choosing) => (
  <>
    <p className="soft">{t('choose.kindsLead')}</p>
    <ul className="choose-kinds">
      {groups.map(({ group, all, wanted }) => (
        <li key={group}>
          <label>
            <input
              type="checkbox"
              checked={wanted}
              onChange={() => onChange(wanted ? [...without, group] : without.filter((one) => one !== group))}
            />
            <span>{t(words[group])}</span>
            <small>{size(all.bytes)}</small>
          </label>
        </li>
      ))}
    </ul>
  </>
);

const megabyte = 1_000_000;
const steps = [5, 20, 50, 100, 250, 1000].map((many) => many * megabyte);

export function Largest({ largest, onChange }: { largest: number | null; onChange: (largest: number | null) => void }) {
  // A limit set on the command line is offered as well.
  const offered = largest === null || steps.includes(largest) ? steps : [...steps, largest].sort((a, b) => a - b);
  return (
    <label className="setting choose-largest">
      <span>{t('choose.largest')}</span>
      <select value={largest ?? ''} onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}>
        <option value="">{t('choose.anySize')}</option>
        {offered.map((bytes) => (
          <option key={bytes} value={bytes}>
            {t('choose.upTo', { size: size(bytes) })}
          </option>
        ))}
      </select>
    </label>
  );
}
