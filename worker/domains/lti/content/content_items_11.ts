// Content that was chosen in a tool of LTI 1.1, as items of deep linking: from the JSON-LD of a ContentItemSelection, or from the parameters of a
// return address. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const partAt = (json: Json, name: string): Json => {
  const part = lookUp(json, name);
  return isJson(part) ? part : {};
};

const launchType = 'application/vnd.ims.lti.v1.ltilink';

function typeOf(item: Json): string {
  const type = String(item['@type'] ?? '');
  const media = String(item.mediaType ?? '');
  if (type === 'LtiLinkItem' || type === 'LtiLink' || media === launchType) return 'ltiResourceLink';
  if (media.startsWith('image/')) return 'image';
  if (type === 'FileItem') return 'file';
  return item.url === undefined && media === 'text/html' ? 'html' : 'link';
}

/** Shown inside of a page instead of opened by a link. */
const framed: readonly unknown[] = ['iframe', 'embed', 'frame'];

function lineItemOf(item: Json): Json | undefined {
  if (!isJson(item.lineItem)) return undefined;
  const { label, scoreConstraints, assignedActivity } = item.lineItem;
  const points = isJson(scoreConstraints) ? (scoreConstraints.normalMaximum ?? scoreConstraints.totalMaximum) : undefined;
  return { label, scoreMaximum: points ?? 0, resourceId: isJson(assignedActivity) ? assignedActivity.activityId : undefined };
}

/** A period of CIM 1.0 has `startDatetime`, one of deep linking `startDateTime`. */
const periodOf = (period: Json): Json => ({
  startDateTime: period.startDatetime ?? period.startDateTime,
  endDateTime: period.endDatetime ?? period.endDateTime,
});

function itemOf(given: unknown): unknown {
  if (!isJson(given)) return given;
  const type = typeOf(given);
  const place = partAt(given, 'placementAdvice');
  const size = { width: place.displayWidth, height: place.displayHeight };
  return {
    type,
    title: given.title,
    text: type === 'html' ? undefined : given.text,
    url: given.url,
    html: type === 'html' ? given.text : undefined,
    mediaType: given.mediaType,
    custom: given.custom,
    ...(type === 'image' ? size : framed.includes(place.presentationDocumentTarget) && { iframe: size }),
    lineItem: lineItemOf(given),
    available: periodOf(partAt(given, 'available')),
    submission: periodOf(partAt(given, 'submission')),
  };
}

/** @param json `content_items` of a ContentItemSelection; undefined where it is none */
export function itemsOfGraph(json: string): unknown {
  if (json.trim() === '') return [];
  try {
    const read: unknown = JSON.parse(json);
    const graph = isJson(read) ? read['@graph'] : undefined;
    return Array.isArray(graph) ? graph.map(itemOf) : undefined;
  } catch {
    return undefined;
  }
}

const typesByReturn: Readonly<Record<string, string>> = {
  lti_launch_url: 'ltiResourceLink',
  url: 'link',
  iframe: 'link',
  image_url: 'image',
  file: 'file',
};

/** One item in the parameters of an address, or none; undefined for a type that is unknown. */
export function itemsOfReturn(given: Readonly<Record<string, string | undefined>>): readonly Json[] | undefined {
  if (!given.return_type) return [];
  const type = lookUp(typesByReturn, given.return_type);
  if (type === undefined) return undefined;
  const size = { width: given.width, height: given.height };
  return [
    {
      type,
      title: given.title ?? (type === 'image' ? given.alt : given.text),
      text: given.text,
      url: given.url,
      mediaType: given.content_type,
      ...(given.return_type === 'iframe' ? { iframe: size } : type === 'image' ? size : {}),
    },
  ];
}
