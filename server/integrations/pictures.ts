import type { Finding } from './port.ts'

/** File extensions that no marketplace accepts as photos. */
const noPhoto = /\.(svgz?|pdf|eps|psd|mp4|mov|webm|html?)$/i

/**
 * Returns the picture findings that all marketplaces share, from the addresses alone. Only publishing fetches pictures.
 */
export function pictureFindings(images: readonly string[], { name, most }: { name: string; most: number }): Finding[] {
  if (images.length === 0) {
    return [{ field: 'images', code: 'picture_required', message: `${name} needs at least one photo.`, blocking: true }]
  }
  const findings: Finding[] = images.slice(0, most).flatMap((address, index): Finding[] => {
    if (!noPhoto.test(pathOf(address))) return []
    const message = `Photo ${index + 1} is no photo file that ${name} takes. Use JPEG or PNG.`
    return [{ field: `images.${index}`, code: 'picture_format', message, blocking: true }]
  })
  if (images.length > most) {
    const message = `${name} takes ${most} photos; the last ${images.length - most} are left out.`
    findings.push({ field: 'images', code: 'pictures_left_out', message, blocking: false })
  }
  return findings
}

const pathOf = (address: string) => (URL.canParse(address) ? new URL(address).pathname : address)
