// The field for a text: the editor, or its HTML where the editor cannot show all of it.

import { useState } from 'react';
import { t } from '../../../language/texts.ts';
import { keepsAll } from './html.ts';
import { RichEditor } from './RichEditor.tsx';
import type { TextGiven } from './text_given.ts';

export default function TextField(given: TextGiven) {
  const { html, label, change } = given;
  const [isSource, setSource] = useState(() => !keepsAll(html));
  const isLossless = !isSource || keepsAll(html);
  const toggle = (
    <button
      type="button"
      className="quiet as-source"
      aria-pressed={isSource}
      disabled={isSource && !isLossless}
      onClick={() => setSource(!isSource)}
    >
      {t('author.html')}
    </button>
  );
  if (!isSource)
    return (
      <div className="text-field">
        <RichEditor {...given}>{toggle}</RichEditor>
      </div>
    );
  return (
    <div className="text-field">
      <div className="text-tools">
        <span className="spring" />
        {toggle}
      </div>
      {!isLossless && (
        <p className="author-note" role="status">
          {t('author.sourceMeans')}
        </p>
      )}
      <textarea
        className="source"
        aria-label={label}
        spellCheck={false}
        dir="ltr"
        rows={18}
        value={html}
        onChange={({ target }) => change(target.value)}
      />
    </div>
  );
}
