// Starts the UI in a page.

import '@fontsource-variable/commissioner/wght.css';
import '@fontsource-variable/literata/opsz.css';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/shell.css';
import './rail.css';
import './style/parts.css';
import './style/forms.css';
import './parts/said.css';
import './style/screens.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DeskApp } from './DeskApp.tsx';
import { enterWithKey } from './host.ts';
import { speakChosenLanguage, useLanguage } from './language.ts';
import { learnOtherScripts } from './scripts.ts';
import { wearChosenTheme } from './theme.ts';

wearChosenTheme();
learnOtherScripts();
await enterWithKey().catch(() => undefined);
speakChosenLanguage();

/** The key redraws everything when the language changes. */
const Spoken = () => <DeskApp key={useLanguage()} />;

const place = document.getElementById('desk');
if (place)
  createRoot(place).render(
    <StrictMode>
      <Spoken />
    </StrictMode>,
  );
