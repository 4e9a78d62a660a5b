import { parseXml, type XmlElement } from './xml.ts'

/** Runs on a thread of its own: parses a document. */
export default (text: string): XmlElement => parseXml(text)
