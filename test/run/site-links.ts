import path from 'node:path'

/**
 * The links of a site that lead nowhere: to no file, to no part of a page, or to a page that was left as Markdown.
 *
 * @param files - the paths of all files of the site
 * @param pages - the HTML of its pages, by their paths
 */
export function deadLinks (files: Iterable<string>, pages: ReadonlyMap<string, string>): string[] {
  const present = new Set(files)
  const parts = new Map([...pages].map(([page, html]) => [page, new Set(attributes(html, 'id'))]))

  const leads = (page: string, link: string): boolean => {
    const [target, part] = link.split('#')
    const place = target === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(target.split('?')[0]))
    const file = place.endsWith('/') ? path.posix.join(place, 'index.html') : place
    const isFound = present.has(file) && !file.endsWith('.md')

    return isFound && (part === undefined || part === '' || parts.get(file)?.has(decodeURIComponent(part)) !== false)
  }

  return [...pages].flatMap(([page, html]) => [...new Set(attributes(html, 'href|src|srcset'))]
    .filter(link => !/^[a-z]+:/.test(link) && !leads(page, link))
    .map(link => `${page}: ${link}`))
}

function attributes (html: string, names: string): string[] {
  return [...html.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, 'g'))].map(([, value]) => value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'))
}
