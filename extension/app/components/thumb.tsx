import { Shirt } from 'lucide-preact'
import { usePicture } from '../common/picture-address.ts'

/** A small picture, or a placeholder where there is none or its address has died. */
export function Thumb({ src, size = 40 }: { src: string | null; size?: 40 | 56 }) {
  const picture = usePicture(small(src))
  const sized = size === 56 ? 'thumb large' : 'thumb'
  return picture ? (
    <img class={sized} {...picture} alt="" loading="lazy" decoding="async" />
  ) : (
    <span class={`${sized} none`}>
      <Shirt size={18} aria-hidden="true" />
    </span>
  )
}

/** Returns the small size of a stored photo; other addresses stay. */
function small(src: string | null): string | null {
  return src?.replace(/(\/images\/img_\w+)\/2000$/, '$1/200') ?? null
}
