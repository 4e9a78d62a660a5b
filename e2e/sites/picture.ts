import { drawPicture } from '#server/sandbox/kit/picture.ts'
import type { SiteReply } from './https-site.ts'

const titles = [
  'Wool coat',
  'Denim jacket',
  'Tea dress',
  'Leather bag',
  'Ankle boots',
  'Silk scarf',
  'Film camera',
  'Blouse',
]
const different = 24

/**
 * Returns a picture that depends on its URL and the listing's title only and is cacheable like the platforms'. A bitmap, because
 * browsers treat each SVG as a document and a table of them would block the page.
 */
export async function pictureAt({ pathname }: URL, title?: string): Promise<SiteReply> {
  const number = [...pathname].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0, 7) % different
  const body = await drawPicture(String(number), 1, title ?? titles[number % titles.length]!)
  return { type: 'image/png', headers: { 'cache-control': 'public, max-age=31536000, immutable' }, body }
}
