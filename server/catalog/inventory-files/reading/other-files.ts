import { refuseFile } from '../refuse-file.ts'

/** A kind of file that is no CSV, and what the seller reads about it. */
interface OtherKind {
  code: string
  message: string
}

const saveAsCsv = 'and save it as a CSV file.'
const exportAsCsv = 'Export the list as a CSV file where it comes from.'
const workbook = { code: 'excel_workbook', message: `This is an Excel workbook. Open it in Excel ${saveAsCsv}` }
const openDocument = {
  code: 'open_document',
  message: `This is an OpenDocument file. Open it in LibreOffice ${saveAsCsv}`,
}
const archive = {
  code: 'zip_archive',
  message: 'This is an archive of files. Unpack it, then send the CSV file in it.',
}
const zip = ['PK\x03\x04']

/** Kinds by their first bytes, and by names of files in a ZIP file. The first that fits names the file. */
const byBytes: readonly (OtherKind & { starts: readonly string[]; holds?: readonly string[] })[] = [
  { starts: zip, holds: ['vnd.oasis.opendocument', 'META-INF/manifest.xml'], ...openDocument },
  {
    ...{ starts: zip, holds: ['Index/Document.iwa', 'Index.zip'], code: 'numbers_document' },
    message: 'This is a Numbers spreadsheet. Open it in Numbers and export it as a CSV file.',
  },
  {
    ...{ starts: zip, holds: ['word/document.xml'], code: 'word_document' },
    message: 'This is a Word document. Send a CSV file instead.',
  },
  { starts: zip, holds: ['[Content_Types].xml'], ...workbook },
  { starts: zip, holds: ['PK\x01\x02'], ...archive },
  { starts: ['PK\x05\x06', '7z\xbc\xaf', 'Rar!'], ...archive },
  // A ZIP file that is cut off has no list of its files.
  { starts: [...zip, '\xd0\xcf\x11\xe0'], ...workbook },
  {
    ...{ starts: ['\x1f\x8b', 'BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd'], code: 'compressed' },
    message: 'This file is compressed. Unpack it, then send the CSV file in it.',
  },
  { starts: ['%PDF-'], code: 'pdf_document', message: `This is a PDF. ${exportAsCsv}` },
  {
    starts: ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF', 'II*\0', 'MM\0*', '\0\0\0'],
    code: 'picture',
    message: 'This is a picture or film. Send the CSV file with the list of your items; it names pictures by links.',
  },
]

/** Kinds by the first characters of a text. */
const byText: readonly (OtherKind & { pattern: RegExp })[] = [
  { pattern: /^<\?xml.*(?:progid="Excel|office:spreadsheet)/s, ...workbook },
  { pattern: /^<\?xml.*<office:document/s, ...openDocument },
  {
    pattern: /^<(?:!doctype html|html|head|body|table|meta|style)\b|^<(?:\?xml|!--).*<html\b/is,
    code: 'web_page',
    message: `This is a web page, perhaps one to sign in. Download the CSV file again. A table that a program has saved this way opens in a spreadsheet: open it ${saveAsCsv}`,
  },
  { pattern: /^<(?:\?xml|[a-z]+[\s>])/i, code: 'xml_file', message: `This is an XML file. ${exportAsCsv}` },
  { pattern: /^(?:\[\s*[[{\]]|\{\s*["}])/, code: 'json_file', message: `This is a JSON file. ${exportAsCsv}` },
  { pattern: /^\{\\rtf/, code: 'word_document', message: 'This is a text with formatting. Send a CSV file instead.' },
]

/** Refuses the bytes of another kind of file in words that say what it is, and what to do. */
export function refuseOtherBytes(bytes: Uint8Array): void {
  const [start, end] = [bytes.subarray(0, 4_096), bytes.subarray(-65_536)].map((part) =>
    Buffer.from(part).toString('latin1'),
  )
  const found = byBytes.find(
    ({ starts, holds }) =>
      starts.some((own) => start!.startsWith(own)) &&
      (holds?.some((name) => start!.includes(name) || end!.includes(name)) ?? true),
  )
  if (found) throw refuseFile(found.code, found.message)
}

/** Refuses a text in another format than CSV. */
export function refuseOtherTexts(text: string): void {
  const start = text.slice(0, 4_096).trimStart()
  const found = byText.find(({ pattern }) => pattern.test(start))
  if (found) throw refuseFile(found.code, found.message)
}
