// The folder template with a preview for the user's courses.

import type { TemplateView } from '../../contract/template';
import type { Workspace } from '../accounts/workspace';
import { localName, pathOf } from '../model/names';
import { keyOfPlace, places } from '../model/places';
import { foldersOf, TemplateWrong, templateLevels, templateSetting, usualTemplate } from '../model/template';
import { derive } from '../sync/wanted/derive';
import { templateWordsOf } from '../sync/wanted/wanted';

/** The current template, or a preview of a draft. */
export function templateView({ cache, user, account }: Pick<Workspace, 'cache' | 'user' | 'account'>, asked?: string): TemplateView {
  const template = user.setting(templateSetting) ?? usualTemplate;
  const { homes } = derive(cache, user, account);
  try {
    const wanted = asked ?? template;
    templateLevels(wanted);
    const courses = places(cache).map((course) => ({
      from: homes.get(keyOfPlace(course.id)) ?? '',
      to: pathOf(...foldersOf(wanted, templateWordsOf(course, account)).map(localName)),
    }));
    return { template, courses: courses.sort((a, b) => (a.to < b.to ? -1 : 1)), wrong: null };
  } catch (problem) {
    if (!(problem instanceof TemplateWrong)) throw problem;
    return { template, courses: [], wrong: problem.message };
  }
}

export function chooseTemplate({ user }: Pick<Workspace, 'user'>, template: string): void {
  templateLevels(template);
  user.set(templateSetting, template.trim());
}
