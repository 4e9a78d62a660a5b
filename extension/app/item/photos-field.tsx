import { Ellipsis } from 'lucide-preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import Sortable from 'sortablejs'
import { errorText } from '#extension/messaging/error-text.ts'
import { Menu } from '../components/menu.tsx'
import { Thumb } from '../components/thumb.tsx'
import { send } from '../host.ts'
import { fieldId } from './field-id.ts'
import { text } from './form-words.ts'
import { PhotoUpload } from './photo-upload.tsx'
import { uploadedId } from './upload-photo.ts'

/** The photos of an item in order, cover first: add, move, rotate and remove. */
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
  // A moved photo loses the focus in the document, so it is given back after the render.
  const focus = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (focus.current === null) return
    document.getElementById(focus.current)?.focus()
    focus.current = null
  }, [images])

  const move = (from: number, to: number) => {
    if (to < 0 || to >= images.length || to === from) return
    const moved = images.filter((_, index) => index !== from)
    moved.splice(to, 0, images[from]!)
    focus.current = `photo-grip-${to}`
    setSaid(text('photos.moved', { n: to + 1, total: images.length }))
    onChange(moved)
  }
  const remove = (index: number) => {
    const left = images.filter((_, one) => one !== index)
    focus.current = left.length === 0 ? fieldId('images') : `photo-grip-${Math.min(index, left.length - 1)}`
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
      const at = now.indexOf(image)
      setSaid(text('photos.rotated', { n: at + 1 }))
      if (document.activeElement?.id === `photo-grip-${at}`) focus.current = `photo-grip-${at}`
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

  const list = useSorted(move)
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
            onMove={(to) => move(index, to)}
            onRotate={(id) => void rotate(image, id)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <p class="hidden" role="status">
        {said}
      </p>
      <PhotoUpload wrong={props.wrong} onUploaded={append} onUploading={props.onUploading} />
      <AddressField wrong={problem} onAdd={add} />
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

/** A photo that opens a menu. Arrow keys move it, and its id lets the focus follow it. */
function Photo(props: {
  image: string
  index: number
  total: number
  turning: boolean
  onMove: (to: number) => void
  onRotate: (id: string) => void
  onRemove: () => void
}) {
  const { image, index, total, onMove } = props
  const n = index + 1
  const id = uploadedId(image)
  return (
    <li>
      <Menu
        class="more"
        label={text('photos.grip', { n, total })}
        icon={
          <>
            <Thumb src={image} size={56} />
            <Ellipsis size={18} aria-hidden="true" />
          </>
        }
        button={{
          class: 'photo-grip',
          id: `photo-grip-${index}`,
          'aria-describedby': 'photos-order',
          onKeyDown: (event) => {
            const place = placeByKey[event.key]?.(index, total)
            if (place === undefined) return
            event.preventDefault()
            onMove(place)
          },
        }}
      >
        {(close) => {
          const choice = (words: string, act: () => void) => (
            <button
              type="button"
              onClick={() => {
                close()
                act()
              }}
            >
              {words}
            </button>
          )
          return (
            <>
              {index > 0 && choice(text('photos.make_cover', { n }), () => onMove(0))}
              {index > 0 && choice(text('photos.earlier', { n }), () => onMove(index - 1))}
              {n < total && choice(text('photos.later', { n }), () => onMove(index + 1))}
              {id !== null && !props.turning && choice(text('photos.rotate', { n }), () => props.onRotate(id))}
              {choice(text('photos.remove', { n }), props.onRemove)}
            </>
          )
        }}
      </Menu>
      {index === 0 && <span class="cover">{text('photos.cover')}</span>}
    </li>
  )
}

/** Adds a photo by its address. The text stays while it is refused. */
function AddressField(props: { wrong: string | null; onAdd: (address: string) => boolean }) {
  const { wrong } = props
  const input = useId()
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
