import { codePath } from '../shelf/code-path.ts'

/** A QR code, dark on light in both color schemes, as cameras expect. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { path, modules } = codePath(content)
  return (
    <svg class="qr" viewBox={`0 0 ${modules} ${modules}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
