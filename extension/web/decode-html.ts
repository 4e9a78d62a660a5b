/**
 * Stands in for the package `entities` in the web app's build, where the browser knows the names of all characters. An
 * escaped "<" keeps the text from being parsed as elements.
 */
export function decodeHTML(text: string): string {
  const area = document.createElement('textarea')
  area.innerHTML = text.replaceAll('<', '&lt;')
  return area.value
}
