/**
 * Stands in for the package `entities` in the web app's build, where the browser knows the names of all characters. An
 * escaped "<" keeps the text from being parsed as elements, and the first letter keeps spaces at its start.
 */
export function decodeHTML(text: string): string {
  const page = new DOMParser().parseFromString(`x${text.replaceAll('<', '&lt;')}`, 'text/html')
  return page.body.textContent.slice(1)
}
