import { readFileSync } from 'node:fs'
import { parseXml, type XmlElement } from '../xml.ts'

/** Returns the text of a file in fixtures/. */
export function fixtureText(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
}

/** Returns the root element of an XML document. */
export function rootOf(xml: string): XmlElement {
  const [root] = Object.values(parseXml(xml))
  if (typeof root !== 'object' || Array.isArray(root)) throw new Error('The document has no root with children.')
  return root
}
