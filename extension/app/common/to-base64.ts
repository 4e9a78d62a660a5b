import { text } from '#extension/i18n/text.ts'

/** Returns the bytes of a file in base64. Messages between the extension's pages are JSON, which has no bytes. */
export function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error(text('photos.unreadable')))
    reader.readAsDataURL(file)
  })
}
