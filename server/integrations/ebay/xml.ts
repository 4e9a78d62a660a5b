import { XMLParser } from 'fast-xml-parser'

/** A parsed element: its text, or its children and attributes ("@name"). Repeated children are an array. */
type XmlValue = string | XmlElement | XmlValue[]
export interface XmlElement {
  [name: string]: XmlValue
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Decodes XML's five entities and character references in one pass, so that `&amp;lt;` becomes `&lt;` and not `<`. The
 * library's decoder leaves `&#128512;` undecoded and accepts entities that a DOCTYPE declares.
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

/** Returns a code point as text. Code points that XML forbids become the replacement character. */
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
  // Keep "5.30", the zeros of a SKU like "0012", and a SKU's spaces.
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  maxNestedTags: 40,
  processEntities: { enabled: true, maxEntityCount: 1, maxEntitySize: 1 },
  entityDecoder: entities,
})

/**
 * Parses a complete, well-formed XML document; every value stays text. Throws an Error for anything else, such as a
 * truncated document, HTML or a DOCTYPE. CDATA is kept as it is; other text is decoded once.
 */
export function parseXml(text: string): XmlElement {
  // eBay sends no DOCTYPE. Refusing it before parsing leaves no entity to expand.
  if (/^\s*(?:<\?[^>]*\?>\s*)*<!DOCTYPE/i.test(text)) throw new Error('the document has a DOCTYPE')
  // XML forbids U+0000, and PostgreSQL cannot store it.
  const document = parser.parse(text.replaceAll('\u0000', ''), true) as XmlElement
  const [root, ...others] = Object.values(document)
  if (root === undefined || Array.isArray(root) || others.length > 0) throw new Error('the document has not one root')
  return document
}

/** Characters that no XML document may have, not even escaped. eBay refuses a whole request with one. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** Escapes text for an XML element or attribute, without the characters that XML cannot have. */
export function escapeXml(text: string): string {
  return text.replace(notInXml, '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
