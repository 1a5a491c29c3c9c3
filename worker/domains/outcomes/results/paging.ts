// Pages by number, with the pages around them in the body and in the Link header (reference 04 §15.3).

/** @param url of the request @param count of all items */
export function numberedPages(url: URL, { page, per_page, count }: { page: number; per_page: number; count: number }) {
  const page_count = Math.max(1, Math.ceil(count / per_page));
  const at = (number: number) => {
    const address = new URL(url);
    address.searchParams.delete('access_token');
    address.searchParams.set('page', String(number));
    address.searchParams.set('per_page', String(per_page));
    return address.href;
  };
  const places = {
    current: at(page),
    first: at(1),
    last: at(page_count),
    ...(page < page_count && { next: at(page + 1) }),
    ...(page > 1 && { prev: at(page - 1) }),
  };
  const template = at(1).replace(/([?&]page=)1(?=&|$)/, '$1{page}');
  return {
    pagination: { per_page, page, template, count, page_count, ...places },
    link: Object.entries(places)
      .map(([rel, href]) => `<${href}>; rel="${rel}"`)
      .join(','),
  };
}
