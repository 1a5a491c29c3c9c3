// The folder template with a preview for the user's courses.

import type { TemplateView } from '../../contract/template';
import type { Study } from '../accounts/study';
import { localName, pathOf } from '../model/names';
import { keyOfPlace, places } from '../model/places';
import { foldersOf, levelsOf, TemplateWrong, templateSetting, usualTemplate } from '../model/template';
import { derive } from '../sync/wanted/derive';
import { wordsOf } from '../sync/wanted/wanted';

/** The current template, or a preview of a draft. */
export function templateView({ cache, user, account }: Pick<Study, 'cache' | 'user' | 'account'>, asked?: string): TemplateView {
  const template = user.setting(templateSetting) ?? usualTemplate;
  const { homes } = derive(cache, user, account);
  try {
    const wanted = asked ?? template;
    levelsOf(wanted);
    const courses = places(cache).map((course) => ({
      from: homes.get(keyOfPlace(course.id)) ?? '',
      to: pathOf(...foldersOf(wanted, wordsOf(course, account)).map(localName)),
    }));
    return { template, courses: courses.sort((a, b) => (a.to < b.to ? -1 : 1)), wrong: null };
  } catch (problem) {
    if (!(problem instanceof TemplateWrong)) throw problem;
    return { template, courses: [], wrong: problem.message };
  }
}

export function chooseTemplate({ user }: Pick<Study, 'user'>, template: string): void {
  levelsOf(template);
  user.set(templateSetting, template.trim());
}
