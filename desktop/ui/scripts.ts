// Fonts for other scripts, loaded after the first screen so that they do not delay it.

import styleSheet from './scripts.css?url';

export const scriptsSheet = new URL(styleSheet, document.baseURI).href;

/** Hebrew, Arabic, Indic, Thai, Chinese, Japanese and Korean. */
const other = /[\u0590-\u08ff\u0900-\u0e7f\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\ufb1d-\ufefc]/;
export const hasOtherScripts = (text: string): boolean => other.test(text);

export const learnOtherScripts = () =>
  requestIdleCallback(
    () => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = scriptsSheet;
      document.head.append(link);
    },
    { timeout: 2000 },
  );
