// The tree of courses and folders, each with a checkbox and the kept size.

import { useState } from 'react';
import type { ChoiceNode } from '../../contract/choices.ts';
import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { Icon } from '../parts/Icon.tsx';

interface Marking {
  readonly onMark: (key: string, wanted: boolean) => void;
}

export function ChoiceTree({ nodes, onMark }: Marking & { nodes: readonly ChoiceNode[] }) {
  return (
    <ul className="choose-tree">
      {childrenOf(nodes, 0).map(([node, below]) => (
        <Branch key={node.key} node={node} below={below} onMark={onMark} />
      ))}
    </ul>
  );
}

function Branch({ node, below, onMark }: Marking & { node: ChoiceNode; below: readonly ChoiceNode[] }) {
  const [open, setOpen] = useState(false);
  const { key, name, depth, state, all, kept } = node;
  return (
    <li data-state={state} {...(depth === 0 && { 'data-cloth': cloth(Math.abs(Number(key.split(':')[1]))) })}>
      <div className="choose-row">
        {node.has_folders ? (
          <button
            type="button"
            className="quiet icon-only unfold"
            aria-expanded={open}
            aria-label={t('choose.unfold', { name })}
            onClick={() => setOpen(!open)}
          >
            <Icon name="forward" />
          </button>
        ) : (
          <span />
        )}
        <label className="choose-name">
          <input
            type="checkbox"
            checked={state === 'on'}
            ref={(box) => {
              if (box) box.indeterminate = state === 'part';
            }}
            aria-label={t('choose.keep', { name })}
            onChange={() => onMark(key, state !== 'on')}
          />
          {depth > 0 && <Icon name="folder" />}
          <bdi>{name}</bdi>
        </label>
        <small>
          {kept.bytes === all.bytes && kept.files === all.files
            ? size(all.bytes)
            : t('choose.of', { kept: kept.files === 0 ? t('choose.nothing') : size(kept.bytes), all: size(all.bytes) })}
        </small>
      </div>
      {open && (
        <ul>
          {childrenOf(below, depth + 1).map(([child, deeper]) => (
            <Branch key={child.key} node={child} below={deeper} onMark={onMark} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Groups the nodes of one depth with the deeper nodes that follow each. */
function childrenOf(nodes: readonly ChoiceNode[], depth: number): [ChoiceNode, ChoiceNode[]][] {
  const found: [ChoiceNode, ChoiceNode[]][] = [];
  for (const node of nodes) {
    if (node.depth === depth) found.push([node, []]);
    else found.at(-1)?.[1].push(node);
  }
  return found;
}
