import { ArrowLeft, ArrowRight, RotateCw, Star, X } from 'lucide-preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import Sortable from 'sortablejs'
import { text } from '#extension/i18n/text.ts'
import { errorText } from '#extension/messaging/error-text.ts'
import { IconButton } from '../components/icon-button.tsx'
import { Thumb } from '../components/thumb.tsx'
import { send } from '../host.ts'
import { fieldId } from './field-id.ts'
import { PhotoUpload } from './photo-upload.tsx'
import { uploadedId } from './upload-photo.ts'

/** The photos of an item in order, cover first: add, move, turn and remove. */
export function PhotosField(props: {
  images: string[]
  /** The problem of the whole list, in words. */
  wrong: string | null
  onChange: (images: string[]) => void
  onUploading: (isUploading: boolean) => void
}) {
  const { images, onChange } = props
  const [problem, setProblem] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [turning, setTurning] = useState<string | null>(null)
  const latest = useRef(props)
  latest.current = props
  // A moved button loses the focus in the document, so it is given back after the render.
  const focus = useRef<string | null>(null)
  const input = fieldId('images')
  useLayoutEffect(() => {
    if (focus.current === null) return
    document.getElementById(focus.current)?.focus()
    focus.current = null
  }, [images])

  const move = (from: number, to: number, button: string) => {
    if (to < 0 || to >= images.length || to === from) return
    const moved = images.filter((_, index) => index !== from)
    moved.splice(to, 0, images[from]!)
    focus.current = `photo-${button}-${to}`
    setSaid(text('photos.moved', { n: to + 1, total: images.length }))
    onChange(moved)
  }
  const remove = (index: number) => {
    const left = images.filter((_, one) => one !== index)
    focus.current = left.length === 0 ? input : `photo-remove-${Math.min(index, left.length - 1)}`
    setSaid(text('photos.removed', { n: left.length }))
    onChange(left)
  }
  // A photo that is already there is the same file again.
  const append = (given: string) => {
    if (images.includes(given)) return setSaid(text('photos.address_twice'))
    setSaid(text('photos.moved', { n: images.length + 1, total: images.length + 1 }))
    onChange([...images, given])
  }
  const rotate = async (image: string, id: string) => {
    if (turning !== null) return
    setTurning(image)
    setProblem(null)
    try {
      const { url } = await send('photos.rotate', { id, degrees: 90 })
      // The list may have changed meanwhile.
      const { images: now, onChange: change } = latest.current
      setSaid(text('photos.rotated', { n: now.indexOf(image) + 1 }))
      change(now.map((address) => (address === image ? url : address)))
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setTurning(null)
    }
  }
  const add = (given: string) => {
    const isAddress = /^https?:$/.test(URL.parse(given)?.protocol ?? '')
    const isTwice = images.includes(given)
    setProblem(!isAddress ? text('photos.address_wrong') : isTwice ? text('photos.address_twice') : null)
    if (!isAddress || isTwice) return false
    append(given)
    return true
  }

  const list = useSorted((from, to) => move(from, to, 'grip'))
  return (
    <>
      <p class="soft" id="photos-order">
        {images.length > 1 && text('photos.order')}
      </p>
      <ol class="photos" ref={list} aria-describedby="photos-order">
        {images.map((image, index) => (
          <Photo
            key={image}
            image={image}
            index={index}
            total={images.length}
            turning={turning !== null}
            onMove={(to, button) => move(index, to, button)}
            onRotate={(id) => void rotate(image, id)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <p class="hidden" role="status">
        {said}
      </p>
      <PhotoUpload onUploaded={append} onUploading={props.onUploading} />
      <AddressField id={input} wrong={problem ?? props.wrong} onAdd={add} />
    </>
  )
}

/** Sorts the photos by drag, with a mouse or a finger. `onMove` gets the places before and after. */
function useSorted(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const latest = useRef(onMove)
  latest.current = onMove
  useEffect(() => {
    const sortable = Sortable.create(list.current!, {
      handle: '.photo-grip',
      animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 120,
      // A finger that scrolls the page does not stay.
      delay: 150,
      delayOnTouchOnly: true,
      onEnd: ({ item, oldIndex, newIndex, from }) => {
        if (oldIndex === undefined || newIndex === undefined) return
        // Back to where it was: the list is rendered from the new order.
        from.insertBefore(item, from.children[oldIndex < newIndex ? oldIndex : oldIndex + 1] ?? null)
        latest.current(oldIndex, newIndex)
      },
    })
    return () => sortable.destroy()
  }, [])
  return list
}

const placeByKey: Record<string, (index: number, total: number) => number> = {
  ArrowLeft: (index) => index - 1,
  ArrowUp: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowDown: (index) => index + 1,
  Home: () => 0,
  End: (_, total) => total - 1,
}

/** A photo with its buttons. Their ids let the focus follow a photo that moves. */
function Photo(props: {
  image: string
  index: number
  total: number
  turning: boolean
  onMove: (to: number, button: 'earlier' | 'later' | 'cover' | 'grip') => void
  onRotate: (id: string) => void
  onRemove: () => void
}) {
  const { image, index, total, onMove } = props
  const n = index + 1
  const id = uploadedId(image)
  return (
    <li>
      <button
        type="button"
        class="photo-grip"
        id={`photo-grip-${index}`}
        aria-label={text('photos.grip', { n, total })}
        aria-describedby="photos-order"
        onKeyDown={(event) => {
          const place = placeByKey[event.key]?.(index, total)
          if (place === undefined) return
          event.preventDefault()
          onMove(place, 'grip')
        }}
      >
        <Thumb src={image} size={56} />
      </button>
      {index === 0 && <span class="cover">{text('photos.cover')}</span>}
      <div class="photo-buttons">
        <IconButton
          icon={ArrowLeft}
          label={text('photos.earlier', { n })}
          id={`photo-earlier-${index}`}
          aria-disabled={index === 0}
          onClick={() => onMove(index - 1, 'earlier')}
        />
        <IconButton
          icon={ArrowRight}
          label={text('photos.later', { n })}
          id={`photo-later-${index}`}
          aria-disabled={n === total}
          onClick={() => onMove(index + 1, 'later')}
        />
        <IconButton
          icon={Star}
          label={text('photos.make_cover', { n })}
          id={`photo-cover-${index}`}
          aria-disabled={index === 0}
          onClick={() => onMove(0, 'cover')}
        />
        {id !== null && (
          <IconButton
            icon={RotateCw}
            label={text('photos.rotate', { n })}
            aria-disabled={props.turning}
            onClick={() => props.onRotate(id)}
          />
        )}
        <IconButton
          icon={X}
          label={text('photos.remove', { n })}
          id={`photo-remove-${index}`}
          onClick={props.onRemove}
        />
      </div>
    </li>
  )
}

/** Adds a photo by its address. The text stays while it is refused. */
function AddressField(props: { id: string; wrong: string | null; onAdd: (address: string) => boolean }) {
  const { id: input, wrong } = props
  const [address, setAddress] = useState('')
  const add = () => {
    if (props.onAdd(address.trim())) setAddress('')
  }
  return (
    <details class="field" open={wrong !== null || undefined}>
      <summary>{text('photos.by_address')}</summary>
      <label class="hidden" for={input}>
        {text('photos.address')}
      </label>
      <div class="joined">
        <input
          id={input}
          type="url"
          autocomplete="off"
          maxLength={4_000}
          value={address}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${input}-wrong` : undefined}
          onInput={(event) => setAddress(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Enter adds the photo instead of saving the item.
            event.preventDefault()
            add()
          }}
        />
        <button type="button" onClick={add}>
          {text('photos.add')}
        </button>
      </div>
      {wrong && (
        <p class="wrong" id={`${input}-wrong`}>
          {wrong}
        </p>
      )}
    </details>
  )
}
