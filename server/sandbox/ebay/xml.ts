import { XMLParser } from 'fast-xml-parser'

/** An element of a request: its text, or its children; repeated children are a list. */
type XmlNode = string | XmlElement | XmlNode[]
export interface XmlElement {
  [name: string]: XmlNode
}

/** An element's children to write; undefined ones are left out. */
type XmlFields = { [name: string]: string | number | boolean | XmlFields | undefined }

const parser = new XMLParser({
  ignoreAttributes: (name) => name !== 'currencyID',
  attributeNamePrefix: '@',
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  tagValueProcessor: (_name, text) => decodeText(text),
})

/** Characters that no XML document may have: https://www.w3.org/TR/xml/#charsets. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

/** Returns the children of a document's root of that name; null for a document that is not well-formed. */
export function readXml(xml: string, rootName: string): XmlElement | null {
  if (/<!DOCTYPE/i.test(xml) || notInXml.test(xml)) return null
  try {
    const root = (parser.parse(xml, true) as XmlElement)[rootName]
    // An element without children parses to its text.
    return root === '' ? {} : childrenOf(root)
  } catch {
    return null
  }
}

/** Returns an element that was sent once with children; null otherwise. */
export function childrenOf(node: XmlNode | undefined): XmlElement | null {
  return typeof node === 'object' && !Array.isArray(node) ? node : null
}

/** Returns the text of an element that was sent once; empty otherwise. */
export function textOf(node: XmlNode | undefined): string {
  const text = childrenOf(node)?.['#text'] ?? node
  return typeof text === 'string' ? text.trim() : ''
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeText(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+))?;?/g, (reference, decimal, hex, name) => {
    if (!reference.endsWith(';')) throw new Error('a bare ampersand')
    if (name) return entities[name] ?? fail(`the entity ${name} is not declared`)
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

function fail(why: string): never {
  throw new Error(why)
}

/** Escapes text for an element or an attribute, with named entities, as eBay does. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => {
    const [name] = Object.entries(entities).find(([, value]) => value === character)!
    return `&${name};`
  })
}

export function elements(fields: XmlFields): string {
  return Object.entries(fields)
    .map(([name, value]) => (value === undefined ? '' : element(name, value)))
    .join('')
}

export function element(name: string, value: NonNullable<XmlFields[string]>): string {
  return `<${name}>${typeof value === 'object' ? elements(value) : escapeXml(String(value))}</${name}>`
}
