// Brand variables of the institution: Canvas theme variable names, each a colour, a size or an image URL. Pure.

const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** Mixes a colour with black or white, by percent. Any other value is returned as is. */
function mixed(colour: string, percent: number, towards: 0 | 255): string {
  const parts = hex.exec(colour)?.slice(1);
  if (!parts) return colour;
  const channel = (part: string) => {
    const value = Number.parseInt(part, 16);
    return Math.round(value + ((towards - value) * percent) / 100)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${parts.map(channel).join('')}`.toUpperCase();
}

const darkened = (colour: string, percent: number) => mixed(colour, percent, 0);
const lightened = (colour: string, percent: number) => mixed(colour, percent, 255);

const usual = {
  'ic-brand-primary': '#2B6CB0',
  'ic-brand-font-color-dark': '#273540',
  'ic-link-color': '#2B6CB0',
  'ic-brand-button--primary-bgd': '#2B6CB0',
  'ic-brand-button--primary-text': '#FFFFFF',
  'ic-brand-button--secondary-bgd': '#273540',
  'ic-brand-button--secondary-text': '#FFFFFF',
  'ic-brand-global-nav-bgd': '#334451',
  'ic-brand-global-nav-ic-icon-svg-fill': '#FFFFFF',
  'ic-brand-global-nav-ic-icon-svg-fill--active': '#2B6CB0',
  'ic-brand-global-nav-menu-item__text-color': '#FFFFFF',
  'ic-brand-global-nav-menu-item__text-color--active': '#2B6CB0',
  'ic-brand-global-nav-menu-item__badge-bgd': '#2B6CB0',
  'ic-brand-global-nav-menu-item__badge-bgd--active': '#2B6CB0',
  'ic-brand-global-nav-menu-item__badge-text': '#FFFFFF',
  'ic-brand-global-nav-menu-item__badge-text--active': '#FFFFFF',
  'ic-brand-global-nav-avatar-border': '#FFFFFF',
  'ic-brand-global-nav-logo-bgd': '#334451',
  'ic-brand-header-image': '',
  'ic-brand-mobile-global-nav-logo': '',
  'ic-brand-watermark': '',
  'ic-brand-watermark-opacity': '1',
  'ic-brand-favicon': '',
  'ic-brand-apple-touch-icon': '',
  'ic-brand-msapplication-tile-color': '#2B6CB0',
  'ic-brand-msapplication-tile-square': '',
  'ic-brand-msapplication-tile-wide': '',
  'ic-brand-right-sidebar-logo': '',
  'ic-brand-Login-body-bgd-color': '#334451',
  'ic-brand-Login-body-bgd-image': '',
  'ic-brand-Login-body-bgd-shadow-color': '#2B6CB0',
  'ic-brand-Login-logo': '',
  'ic-brand-Login-Content-bgd-color': 'none',
  'ic-brand-Login-Content-border-color': 'none',
  'ic-brand-Login-Content-inner-bgd': 'none',
  'ic-brand-Login-Content-label-text-color': '#FFFFFF',
  'ic-brand-Login-Content-password-text-color': '#FFFFFF',
  'ic-brand-Login-footer-link-color': '#FFFFFF',
  'ic-brand-Login-footer-link-color-hover': '#FFFFFF',
  'ic-brand-Login-instructure-logo': '#FFFFFF',
} as const;

export type BrandName = keyof typeof usual;

/** The variables that an institution may set; shades are derived. */
export const brandNames = Object.keys(usual) as BrandName[];

/** Accepts colours, `none`, numbers and URLs, but nothing that could close a CSS declaration. */
export const isBrandValue = (given: string): boolean =>
  given.length <= 500 && /^(#[0-9a-f]{3,8}|[a-z]{0,30}|\d+(\.\d+)?|https?:\/\/[^\s"'()<>;{}]+|\/[^\s"'()<>;{}]*)$/i.test(given);

/** Every variable: custom value or default, plus derived shades. */
export function brandVariables(chosen: Readonly<Record<string, unknown>>): Record<string, string> {
  const own = Object.fromEntries(
    brandNames.map((name) => {
      const value = chosen[name];
      return [name, typeof value === 'string' && value !== '' ? value : usual[name]];
    }),
  ) as Record<BrandName, string>;
  const shade = (name: BrandName, how: 'darkened' | 'lightened', percents: readonly number[]) =>
    percents.map((percent) => [`${name}-${how}-${percent}`, (how === 'darkened' ? darkened : lightened)(own[name], percent)]);
  return {
    ...own,
    ...Object.fromEntries([
      ...shade('ic-brand-primary', 'darkened', [5, 10, 15]),
      ...shade('ic-brand-primary', 'lightened', [5, 10, 15]),
      ...shade('ic-brand-font-color-dark', 'lightened', [15, 28]),
      ...shade('ic-link-color', 'darkened', [10]),
      ...shade('ic-link-color', 'lightened', [10]),
      ...shade('ic-brand-button--primary-bgd', 'darkened', [5, 15]),
      ...shade('ic-brand-button--secondary-bgd', 'darkened', [5, 15]),
    ]),
  };
}
