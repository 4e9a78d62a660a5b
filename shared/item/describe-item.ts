import { isFormatted } from '../plain-text.ts'
import {
  type ParticularName,
  type Particulars,
  particularAspects,
  particularLines,
  particulars,
} from './particulars.ts'
import type { System } from './units.ts'

/** The parts of an item that its measurements change. */
interface Described {
  description: string
  attributes: { particulars?: Particulars } & Record<string, unknown>
}

/**
 * Returns an item as a marketplace gets it: its measurements and particulars stand at the end of the description, and
 * among the attributes under the names of aspects. An attribute of the seller's own comes first, and a text that the
 * description has already is not repeated.
 */
export function describeForListing<Item extends Described>(item: Item, system: System): Item {
  const { particulars: values } = item.attributes
  if (!values) return item
  const lines = particularLines(values, system)
  const blocks = [
    block('Measurements', lines, (name) => particulars[name].as !== 'text'),
    block('Details', lines, (name) => particulars[name].as === 'text'),
  ]
  const missing = blocks.filter((one) => one !== null && !item.description.includes(one.lines.join('\n')))
  const attributes = { ...particularAspects(values, system), ...item.attributes }
  return { ...item, attributes, description: missing.reduce(withBlock, item.description) }
}

interface Block {
  head: string
  lines: string[]
}

function block(
  head: string,
  lines: ReturnType<typeof particularLines>,
  isIn: (name: ParticularName) => boolean,
): Block | null {
  const own = lines.filter(({ name }) => isIn(name)).map(({ name, text }) => `${particulars[name].label}: ${text}`)
  return own.length > 0 ? { head, lines: own } : null
}

function withBlock(description: string, given: Block | null): string {
  if (given === null) return description
  const { head, lines } = given
  if (isFormatted(description)) return `${description}\n<p>${[head, ...lines].map(escaped).join('<br>\n')}</p>`
  return [description.trim(), [head, ...lines].join('\n')].filter(Boolean).join('\n\n')
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
