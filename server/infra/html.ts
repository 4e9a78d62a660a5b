/** Markup that is safe to send. Only `html` creates it, so plain text never passes for markup. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[]

/**
 * Returns markup from a template: escapes every value that is not markup, joins lists, omits null. Static pages need no
 * virtual DOM: preact-render-to-string with htm would add two runtime packages and has no attribute fragments.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part))
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  return escapeHtml(String(value))
}

/** Escapes a text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
