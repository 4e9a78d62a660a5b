import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import { type Pen, pictureDepth, pictureHeight } from './canvas-pen.ts'
import { codePath } from './code-path.ts'
import { type LabelSize, labelCorner, labelsOnPage } from './label-sizes.ts'
import { type Label, layOutLabel } from './lay-out-label.ts'

/**
 * Returns labels as a PDF: a page for each, or sheets of them. `first`: the place of the first label on its sheet, from 0.
 * Latin letters are text in PDF's own Helvetica. Other scripts are pictures, since a font for all of them has megabytes.
 */
export async function labelPdf(
  labels: readonly Label[],
  size: LabelSize,
  { first, pen }: { first: number; pen: Pen },
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.HelveticaBold)
  const known = new Set(font.getCharacterSet())
  const isText = (words: string) => Array.from(words).every((letter) => known.has(letter.codePointAt(0)!))
  const widthOf = (words: string, at: number) =>
    isText(words) ? font.widthOfTextAtSize(words, at) : pen.widthOf(words) * at
  const paper = size.sheet ?? size
  let page = pdf.addPage([paper.width, paper.height])
  for (const [index, label] of labels.entries()) {
    const place = (first + index) % labelsOnPage(size)
    if (place === 0 && index > 0) page = pdf.addPage([paper.width, paper.height])
    const corner = labelCorner(size, place)
    const { code, lines } = layOutLabel(label, size, widthOf)
    const { path, modules } = codePath(label.address)
    page.drawSvgPath(path, {
      ...{ x: corner.x + code.x, y: corner.y - code.y, scale: code.side / modules },
      ...{ color: rgb(0, 0, 0), borderWidth: 0 },
    })
    for (const line of lines) {
      const [x, y] = [corner.x + line.x, corner.y - line.y]
      if (isText(line.words)) {
        page.drawText(line.words, { x, y, size: line.size, font })
        continue
      }
      page.drawImage(await pdf.embedPng(await pen.draw(line.words)), {
        ...{ x, y: y - pictureDepth * line.size },
        ...{ width: widthOf(line.words, line.size), height: pictureHeight * line.size },
      })
    }
  }
  return (await pdf.save()) as Uint8Array<ArrayBuffer>
}
