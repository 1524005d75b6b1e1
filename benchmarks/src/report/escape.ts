const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * Writes text so that HTML and XML show it as it is, in attributes too.
 */
export function escapeText (text: string): string {
  return text.replaceAll(/[&<>"]/g, character => ENTITIES[character])
}

/**
 * Puts sentences into HTML in which code stands between backticks, as in Markdown.
 */
export function proseHtml (text: string): string {
  return escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
