// Settings: language, colours, notifications, transfers and folders.

import { t } from '../../language/texts.ts';
import { Accounts } from '../account/Accounts.tsx';
import { Heading } from '../parts/Heading.tsx';
import { SingleKeys } from '../Shortcuts.tsx';
import { type Theme, themes, themeWords, useTheme } from '../theme.ts';
import { FolderTemplate } from './FolderTemplate.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import { Notices } from './Notices.tsx';
import { TransferSettings } from './TransferSettings.tsx';

export const Settings = () => (
  <>
    <Heading title={t('settings.title')} />
    <div className="settings">
      <LanguageChoice />
      <ThemeChoice />
      <SingleKeys />
      <FolderTemplate />
      <TransferSettings />
      <Notices />
      <Accounts title={t('account.all')} />
    </div>
  </>
);

function ThemeChoice() {
  const { theme, choose } = useTheme();
  return (
    <label className="setting">
      <span>{t('settings.colours')}</span>
      <select value={theme} onChange={({ target }) => choose(target.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {t(themeWords[one])}
          </option>
        ))}
      </select>
    </label>
  );
}
