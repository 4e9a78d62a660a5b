import { XMLParser } from 'fast-xml-parser'

/** An element as it is parsed: its text, or its children and attributes ("@name"), repeated children as an array. */
export type XmlValue = string | XmlElement | XmlValue[]
export interface XmlElement {
  [name: string]: XmlValue
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * The five entities of XML and character references, in one pass, so that `&amp;lt;` becomes `&lt;` and not `<`.
 * Our own rather than the library's: that one leaves `&#128512;` alone and knows entities that a DOCTYPE declares.
 */
const entities = {
  decode: (text: string) =>
    text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (_, decimal, hex, name) =>
      name ? named[name]! : characterOf(decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)),
    ),
  addInputEntities: () => {
    throw new Error('the document declares its own entities')
  },
  setExternalEntities: () => {},
  setXmlVersion: () => {},
  reset: () => {},
}

/** A code point as text; what XML forbids (U+0000, most controls, half surrogates) as the replacement character. */
function characterOf(code: number): string {
  const allowed =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff)
  return allowed ? String.fromCodePoint(code) : '\uFFFD'
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // "5.30" must stay "5.30", "0012" a SKU, and a SKU its spaces.
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  maxNestedTags: 40,
  processEntities: { enabled: true, maxEntityCount: 1, maxEntitySize: 1 },
  entityDecoder: entities,
})

/**
 * Parses a whole, well-formed XML document; every value stays text. Throws an Error for anything else: cut off, HTML,
 * a DOCTYPE with entities. Content of a CDATA section is taken as it stands, other text is decoded once.
 */
export function parseXml(text: string): XmlElement {
  // eBay sends no DOCTYPE; refusing it before the parser sees it leaves no entity to expand.
  if (/^\s*(?:<\?[^>]*\?>\s*)*<!DOCTYPE/i.test(text)) throw new Error('the document has a DOCTYPE')
  // U+0000 is no character of XML, and PostgreSQL stores none.
  const document = parser.parse(text.replaceAll('\u0000', ''), true) as XmlElement
  const [root, ...others] = Object.values(document)
  if (root === undefined || Array.isArray(root) || others.length > 0) throw new Error('the document has not one root')
  return document
}

/** A value as text inside an XML element or attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
