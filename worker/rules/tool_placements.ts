// Placements of external tools: which a tool has, and what is shown for one.

import { type PlacementName, placementNames } from '@carrel/shared/resources/external_tool';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { PlacementSettings, ToolSettings } from '../domains/external_tools/table';

export interface Placed {
  readonly name: string;
  readonly version: '1.1' | '1.3';
  readonly settings: ToolSettings;
  readonly placements: Readonly<Record<string, PlacementSettings>>;
  readonly not_selectable: boolean;
}

const known: ReadonlySet<string> = new Set(placementNames);
export const isPlacement = (name: string): name is PlacementName => known.has(name);

/** Where teachers choose content, a tool without placements of this kind is offered, too. */
const selections: readonly PlacementName[] = ['assignment_selection', 'link_selection', 'resource_selection'];

/** The settings of a placement; undefined where the tool does not appear. */
export function placementOf(tool: Placed, name: PlacementName): PlacementSettings | undefined {
  const given = lookUp(tool.placements, name);
  if (given) return given.enabled === false ? undefined : given;
  const isSelection = name === 'assignment_selection' || name === 'link_selection';
  const isOffered = isSelection && !tool.not_selectable && !selections.some((one) => lookUp(tool.placements, one));
  return isOffered ? {} : undefined;
}

const text = (given: unknown): string | undefined => (typeof given === 'string' && given !== '' ? given : undefined);

/** The text for the caller's language: `de-AT`, else `de`, else the text without a language. */
export function labelIn(tool: Placed, placement: PlacementSettings, locale: string | null | undefined): string {
  const labels = (placement.labels ?? {}) as Record<string, unknown>;
  const language = locale ?? 'en';
  return (
    text(lookUp(labels, language)) ??
    text(lookUp(labels, language.split('-')[0] ?? '')) ??
    text(placement.text) ??
    text(tool.settings.text) ??
    tool.name
  );
}

/** A placement as clients see it: what it does not set is taken from the tool. */
export function placementJson(tool: Placed, name: PlacementName, locale: string | null | undefined): object | null {
  const placement = placementOf(tool, name);
  if (!placement) return null;
  const { icon_url, canvas_icon_class, selection_width, selection_height } = tool.settings;
  const { url, ...rest }: PlacementSettings = { icon_url, canvas_icon_class, selection_width, selection_height, ...placement };
  const address = tool.version === '1.3' ? { target_link_uri: placement.target_link_uri ?? url } : { url };
  return { enabled: true, ...rest, ...address, label: labelIn(tool, placement, locale) };
}

/** Where tools of LTI 1.1 are always asked for content. */
const choosing: readonly PlacementName[] = ['editor_button', 'resource_selection', 'homework_submission', 'migration_selection'];
const requests: readonly unknown[] = ['LtiDeepLinkingRequest', 'ContentItemSelectionRequest', 'ContentItemSelection'];

/** Whether the tool expects to be asked for content at a placement. */
export function offersContent(tool: Placed, name: PlacementName | undefined): boolean {
  if (name === undefined) return false;
  return requests.includes(placementOf(tool, name)?.message_type) || (tool.version === '1.1' && choosing.includes(name));
}
