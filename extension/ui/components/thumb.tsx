import { Shirt } from 'lucide-preact'
import { usePictureAddress } from '../picture-address.ts'

/** A small picture, or a placeholder. */
export function Thumb({ src, size = 40 }: { src: string | null; size?: 40 | 48 }) {
  const address = usePictureAddress()(src)
  const sized = size === 48 ? 'thumb large' : 'thumb'
  return address ? (
    <img class={sized} src={address} alt="" loading="lazy" decoding="async" />
  ) : (
    <span class={`${sized} none`}>
      <Shirt size={18} aria-hidden="true" />
    </span>
  )
}
