import { drawPicture } from '#server/sandbox/kit/picture.ts'
import type { SiteReply } from './https-site.ts'

const different = 24
const drawn = new Map<number, Buffer>()

/**
 * A picture, the same for the same address, and kept by browsers as those of the platforms are. Of pixels, as those are:
 * each drawing of lines (SVG) is a document of its own to a browser, and a table of them keeps it busy with nothing else.
 */
export function pictureAt({ pathname }: URL): SiteReply {
  const number = [...pathname].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0, 7) % different
  const body = drawn.get(number) ?? drawPicture(pathname, number, 'Hapax')
  drawn.set(number, body)
  return { type: 'image/png', headers: { 'cache-control': 'public, max-age=31536000, immutable' }, body }
}
