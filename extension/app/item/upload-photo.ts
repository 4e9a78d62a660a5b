import { toBase64 } from '../common/to-base64.ts'
import { send } from '../host.ts'
import { text } from './form-words.ts'

/** Largest photo in bytes that the server takes. */
const maxBytes = 15_000_000

/** Formats that the server takes. A phone that is asked for these alone converts its own, a desktop offers HEIC. */
export const photoTypes = `image/jpeg,image/png,image/webp,image/avif${isTouch() ? '' : ',.heic,.heif'}`

/** Returns true for a file that claims to be a photo. Browsers know no type of HEIC, whose refusal says what to do. */
export function isPhoto({ type, name }: File): boolean {
  return type.startsWith('image/') || /\.hei[cf]$/i.test(name)
}

function isTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches
}

/**
 * Uploads a photo and returns its address, into `account` only if that is given. Throws an error in the seller's words.
 */
export async function uploadPhoto(file: File, account?: string): Promise<string> {
  if (file.size > maxBytes) throw new Error(text('photos.too_large'))
  return (await send('photos.upload', { base64: await toBase64(file), ...(account && { account }) })).url
}

/** Returns the id of an uploaded photo, or null for a photo elsewhere. */
export function uploadedId(address: string): string | null {
  return /\/images\/(img_\w+)\/\d+$/.exec(address)?.[1] ?? null
}
