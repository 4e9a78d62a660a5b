import { ImageOff } from 'lucide-preact'
import { usePicture } from '../common/picture-address.ts'

/** A picture, or a placeholder once its address has died. */
export function Picture({ src, alt }: { src: string; alt: string }) {
  const picture = usePicture(src)
  if (picture) return <img {...picture} alt={alt} loading="lazy" draggable={false} />
  return (
    <span class="broken" role="img" aria-label={alt}>
      <ImageOff size={24} aria-hidden="true" />
    </span>
  )
}
