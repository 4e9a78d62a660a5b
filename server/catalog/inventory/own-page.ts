import { readImagePath } from '#server/infra/image-store/image-url.ts'
import { Id } from '#shared/identity.ts'
import { noPhotoPath } from '#shared/item/placeholders.ts'

const ItemId = Id('inv')
const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether an address is on this server's own host, in whatever spelling. False for a text that is no address. */
export function isOnOwnHost(address: string, publicUrl: string): boolean {
  const [url, own] = [URL.parse(address), new URL(publicUrl)]
  return url !== null && url.port === own.port && hostOf(url) === hostOf(own)
}

/**
 * Returns whether an address leads to a page of this server other than an item or a photo. Browsers trust a link on our
 * own host more than others, so a seller's address must not lead to pages that act for their visitor.
 */
export function isOwnPage(address: string, publicUrl: string): boolean {
  if (!isOnOwnHost(address, publicUrl)) return false
  const { pathname, search } = new URL(address)
  const [, folder, ...rest] = pathname.split('/')
  const isItem = folder === 'items' && rest.length === 1 && ItemId.safeParse(rest[0]).success
  const isPhoto = folder === 'images' && readImagePath(rest) !== null
  return search !== '' || !(isItem || isPhoto || pathname === noPhotoPath)
}

function hostOf({ hostname }: URL): string {
  const host = hostname.replace(/\.$/, '')
  return loopback.includes(host) ? 'localhost' : host
}
