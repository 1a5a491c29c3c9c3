// The choice of the language of the desk.

import { languages, t } from '../../language/texts.ts';
import { chooseLanguage, chosenLanguage, languageChoices, systemLanguage } from '../language.ts';

export const LanguageChoice = () => (
  <label className="setting">
    <span>{t('settings.language')}</span>
    <select
      id="language"
      value={chosenLanguage()}
      onChange={({ target }) => chooseLanguage(languageChoices.find((one) => one === target.value) ?? 'system')}
    >
      {languageChoices.map((choice) =>
        choice === 'system' ? (
          <option key={choice} value={choice}>
            {t('settings.asSystem', { language: languages[systemLanguage()].name })}
          </option>
        ) : (
          <option key={choice} value={choice} lang={choice}>
            {languages[choice].name}
          </option>
        ),
      )}
    </select>
  </label>
);
