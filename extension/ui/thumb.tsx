import { Shirt } from 'lucide-preact'

/** A small picture, or a sign that there is none. Only https: an address may have come from a platform's page. */
export function Thumb({ src, size = 40 }: { src: string | null; size?: 40 | 48 }) {
  const sized = size === 48 ? 'thumb large' : 'thumb'
  return src && URL.parse(src)?.protocol === 'https:' ? (
    <img class={sized} src={src} alt="" loading="lazy" decoding="async" />
  ) : (
    <span class={`${sized} none`}>
      <Shirt size={18} aria-hidden="true" />
    </span>
  )
}
