import { drawPicture } from '#server/sandbox/kit/picture.ts'
import type { SiteReply } from './https-site.ts'

const different = 24
const drawn = new Map<number, Buffer>()

/**
 * Returns a picture that depends on its URL only and is cacheable like the platforms'. A bitmap, because browsers treat
 * each SVG as a document and a table of them would block the page.
 */
export function pictureAt({ pathname }: URL): SiteReply {
  const number = [...pathname].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0, 7) % different
  const body = drawn.get(number) ?? drawPicture(pathname, number, 'Hapax')
  drawn.set(number, body)
  return { type: 'image/png', headers: { 'cache-control': 'public, max-age=31536000, immutable' }, body }
}
