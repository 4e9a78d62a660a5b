import { ChevronLeft, ChevronRight } from 'lucide-preact'
import { useRef, useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { Picture } from './picture.tsx'
import { text } from './words.ts'

/** Pixels that a finger or mouse moves sideways to turn to another picture. */
const swipePx = 50

/** Shows an item's pictures large, one at a time: by keys, buttons or a swipe, and each enlarged by a press. */
export function Lightbox(props: { images: readonly string[]; first: number; onClose: () => void }) {
  const { images } = props
  const [at, setAt] = useState(props.first)
  const [isZoomed, setZoomed] = useState(false)
  const from = useRef<number | null>(null)
  const total = images.length
  const turn = (by: number) => {
    const to = at + by
    if (to < 0 || to >= total) return false
    setAt(to)
    setZoomed(false)
    return true
  }
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    // An enlarged picture scrolls by the same keys.
    if (by !== undefined && !isZoomed && turn(by)) event.preventDefault()
  }
  const swipe = (event: PointerEvent) => {
    const moved = from.current === null ? 0 : event.clientX - from.current
    from.current = null
    if (!isZoomed && Math.abs(moved) >= swipePx) turn(moved < 0 ? 1 : -1)
    else setZoomed(!isZoomed)
  }
  const image = images[at]!
  return (
    <Dialog title={text('item.picture', { n: at + 1, total })} onClose={props.onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys repeat the buttons */}
      <div class="lightbox" onKeyDown={key}>
        <button
          type="button"
          class={isZoomed ? 'stage zoomed' : 'stage'}
          aria-pressed={isZoomed}
          aria-label={text('lightbox.zoom')}
          onPointerDown={(event) => {
            from.current = event.clientX
          }}
          onPointerUp={swipe}
          // A key has no pointer.
          onClick={(event) => event.detail === 0 && setZoomed(!isZoomed)}
        >
          <Picture src={image} alt={text('item.picture', { n: at + 1, total })} />
        </button>
        <div class="buttons">
          <button type="button" aria-disabled={at === 0} onClick={() => turn(-1)}>
            <ChevronLeft size={16} aria-hidden="true" /> {text('lightbox.before')}
          </button>
          <button type="button" aria-disabled={at === total - 1} onClick={() => turn(1)}>
            {text('lightbox.after')} <ChevronRight size={16} aria-hidden="true" />
          </button>
          <a class="button" href={image} target="_blank" rel="noreferrer">
            {text('lightbox.original')}
          </a>
          <button type="button" onClick={props.onClose}>
            {text('close')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
