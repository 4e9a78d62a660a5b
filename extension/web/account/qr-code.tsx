import { encode } from 'uqr'

/** A QR code, dark on light in both color schemes, as cameras expect. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { data } = encode(content, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg class="qr" viewBox={`0 0 ${data.length} ${data.length}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
