import { Shirt } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { usePictureAddress } from '../picture-address.ts'

/** A small picture, or a placeholder where there is none or its address has died. */
export function Thumb({ src, size = 40 }: { src: string | null; size?: 40 | 56 }) {
  const address = usePictureAddress()(small(src))
  const [broken, setBroken] = useState<string | null>(null)
  const sized = size === 56 ? 'thumb large' : 'thumb'
  return address && address !== broken ? (
    <img class={sized} src={address} alt="" loading="lazy" decoding="async" onError={() => setBroken(address)} />
  ) : (
    <span class={`${sized} none`}>
      <Shirt size={18} aria-hidden="true" />
    </span>
  )
}

/** Returns the small size of an uploaded photo; other addresses stay. */
function small(src: string | null): string | null {
  return src?.replace(/(\/images\/img_\w+)\/2000$/, '$1/200') ?? null
}
